/** Helpers for the tests of a project: a server with an empty database, users with roles, and typed requests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mail } from '../base/mailer.ts';
import { AUTHENTICATED, PUBLIC } from '../contract/policy/built-in-roles.ts';
import type { AnyExtensions, ServerDefinition } from '../server/definition.ts';
import { createServer } from '../server/server.ts';
import { readSettings } from '../server/settings.ts';
import { createClient, type TestClient } from './client.ts';
import { randomness } from './rule-content.ts';
import { checkRuleCase, type RuleCase, type RuleOutcome } from './rule-checks.ts';
import { createUser } from './create-user.ts';

export { endpointPermissions, type PermissionRow } from '../server/permission-matrix.ts';
export type { RuleCase, RuleOutcome } from './rule-checks.ts';
export type { TestClient, TestAnswer, TestRequest } from './client.ts';

/** A running test server. `Entries` is the generated type. */
export interface TestServer<Entries> {
  /** `http://127.0.0.1:45678` */
  readonly origin: string;
  /** The entries with the permissions of the server itself, without HTTP: to prepare the content of a test. */
  readonly entries: Entries;
  /** A caller without credentials. */
  readonly public: TestClient<Entries>;
  /** Adds a user with a role of the schema, and signs in. By default, name and password are random. */
  userWith(role: string, account?: { readonly name: string; readonly password: string }): Promise<TestClient<Entries>>;
  /**
   * Requests what the rule of a permission permits, of an entry that it reaches and of one that it leaves out, as a user with the role.
   * The result says what was answered, or why no such entries could be made.
   */
  checkRule(rule: RuleCase): Promise<RuleOutcome>;
  /** Mails that the server would have sent. Empty if the extensions have a mailer of their own. */
  readonly mails: readonly Mail[];
  /** The time of jobs and schedules. */
  readonly time: {
    /**
     * Moves the time by so many milliseconds, does the jobs that are due by then, and resolves once they are done. 0: those that are due
     * now. `Date.now()` stays as it is.
     */
    advance(milliseconds: number): Promise<void>;
  };
  /** Stops the server, and deletes its files. */
  stop(): Promise<void>;
}

const SETTINGS = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  AUTH_RATE_LIMIT: '0',
  AUTH_PASSWORD_COST: '8',
};

/**
 * Starts a server in this process, with an empty SQLite database of its own. `environment` overrides settings, such as `DATABASE_URL`
 * for another engine; that database must be empty.
 */
export async function startTestServer<Entries>(
  definition: ServerDefinition,
  {
    extensions = {},
    environment = {},
  }: { readonly extensions?: AnyExtensions; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<TestServer<Entries>> {
  const folder = await mkdtemp(join(tmpdir(), `${definition.name.replaceAll(/[^\w-]/gu, '-')}-`));
  const removeFiles = () => rm(folder, { recursive: true, force: true });
  const own = { DATABASE_URL: `sqlite:${join(folder, 'test.db')}`, UPLOAD_DIR: join(folder, 'uploads') };
  const settings = readSettings(definition.name, { ...SETTINGS, ...own, ...environment });
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  try {
    const server = await createServer(definition, { settings, extensions: { mailer, ...extensions } });
    const { host, port } = await server.listen();
    const origin = `http://${host}:${port}`;
    const { contentTypes } = definition;
    const shared = randomness();
    const visitor = createClient<Entries>(origin, contentTypes, {});
    const userWith: TestServer<Entries>['userWith'] = async (role, account) => {
      const session = await createUser(origin, settings, contentTypes, role, account);
      return createClient<Entries>(origin, contentTypes, session);
    };
    return {
      origin,
      entries: server.services.entries as unknown as Entries,
      public: visitor,
      userWith,
      async checkRule(rule) {
        const caller = rule.role === PUBLIC ? visitor : await userWith(rule.role);
        const { entries } = server.services;
        const other = await userWith(AUTHENTICATED);
        return checkRuleCase({ entries, contentTypes, shared, caller, other }, rule);
      },
      mails,
      time: { advance: (milliseconds) => server.advance(milliseconds) },
      async stop() {
        await server.close();
        await removeFiles();
      },
    };
  } catch (error) {
    await removeFiles();
    throw error;
  }
}
