/** Two servers with the same content. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { createRandom } from '../../contract/values/random.ts';
import { USER_ATTRIBUTES } from '../../contract/user-attributes.ts';
import { publishedTypes } from '../../contract/states.ts';
import { PUBLIC } from '../../contract/policy/built-in-roles.ts';
import type { Database } from '../../database/database.ts';
import { openDatabase } from '../../database/open-database.ts';
import { raw, sql } from '../../database/sql.ts';
import type { AnyEntries } from '../../entries/typed/any-entries.ts';
import { randomEntry, randomLinks } from '../../features/seed/random-entry.ts';
import type { SeedContext, Writer } from '../../features/seed/context.ts';
import { entriesOf, entryWriter, writtenId } from '../../features/seed/entry-writer.ts';
import { seedRandom } from '../../features/seed/seed-random.ts';
import { sampleFile } from '../../features/seed/sample-files.ts';
import type { AnyExtensions, ServerDefinition } from '../../server/definition.ts';
import { startTestServer, type TestServer } from '../testing.ts';
import { timeOf } from './times.ts';
import { alignFiles, createImages, fileTypeOf } from './twin-files.ts';
import { alignHistory, historyBegun } from './twin-history.ts';

/** A caller of both servers. */
export interface TwinCaller {
  readonly role: string;
  /** Undefined for visitors. */
  readonly userId: number | undefined;
  /** One token for each server. */
  readonly tokens: readonly string[];
}

export interface Twin {
  readonly origin: string;
  readonly types: ContentTypes;
  readonly entries: AnyEntries;
  readonly database: Database;
  readonly userWith: TestServer<AnyEntries>['userWith'];
}

export interface Twins {
  readonly both: readonly [Twin, Twin];
  readonly callers: readonly TwinCaller[];
  close(): Promise<void>;
}

/** The project, and where the databases are created. */
export interface TwinProject {
  readonly definition: ServerDefinition;
  readonly extensions: AnyExtensions;
  /** The URL of a database whose user may create others beside it; undefined: SQLite files. */
  readonly databaseUrl: string | undefined;
}

const USERS_PER_ROLE = 2;
/** ETags depend on it. */
const SECRET = randomBytes(32).toString('hex');
const PASSWORD = 'a password of a test';
const ENTRIES_PER_TYPE = 6;

/** Writes random content of a twin. */
export function twinWriter(entries: AnyEntries): Writer {
  return entryWriter(entries, async (kinds) => {
    const { name, bytes } = sampleFile(kinds);
    return writtenId(await entriesOf(entries, 'file').create({ name, source: bytes }));
  });
}

interface Opened extends Twin {
  close(): Promise<void>;
}

/** A new database beside that of the URL, and how to drop it. */
async function createBeside(url: string): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = `prove_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string): Promise<void> => {
    const database = await openDatabase(url);
    try {
      await database.run(raw(statement));
    } finally {
      await database.close();
    }
  };
  await run(`CREATE DATABASE ${name}`);
  const created = new URL(url);
  created.pathname = `/${name}`;
  return { url: created.href, drop: () => run(`DROP DATABASE ${name}`) };
}

async function openTwin(
  { definition, extensions, databaseUrl: beside }: TwinProject,
  uploads: string,
): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'prove-'));
  const own = beside === undefined ? undefined : await createBeside(beside);
  const databaseUrl = own?.url ?? `sqlite:${join(folder, 'prove.db')}`;
  const clean = async (): Promise<void> => {
    await own?.drop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    // The addresses of files change with time: not while both servers answer.
    const environment = {
      JWT_SECRET: SECRET,
      DATABASE_URL: databaseUrl,
      UPLOAD_DIR: uploads,
      UPLOAD_URL_LIFETIME: '86400',
    };
    const server = await startTestServer<AnyEntries>(definition, { extensions, environment });
    const database = await openDatabase(databaseUrl);
    await historyBegun(database, definition);
    return {
      origin: server.origin,
      types: definition.contentTypes,
      entries: server.entries,
      database,
      userWith: (role, account) => server.userWith(role, account),
      async close() {
        await database.close();
        await server.stop();
        await clean();
      },
    };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** The user type with the attributes that the schema adds. */
function ownUserType({ contentTypes }: ServerDefinition): ContentType | undefined {
  const type = contentTypes.types['user'];
  if (!type) return undefined;
  const own = Object.entries(type.attributes).filter(([name]) => !USER_ATTRIBUTES.has(name) && name !== 'role');
  return { ...type, attributes: Object.fromEntries(own) };
}

/** The same content for the same seed. */
async function fill(twin: Twin, definition: ServerDefinition, users: readonly number[], seed: number): Promise<void> {
  const { entries } = twin;
  const { contentTypes: types, routes } = definition;
  const fileType = fileTypeOf(definition);
  const context: SeedContext = {
    types,
    random: createRandom(seed),
    textsLike: undefined,
    pools: new Map([['user', [...users]]]),
    taken: new Map(),
    writer: twinWriter(entries),
    images: fileType ? await createImages(twin, fileType, users, seed) : [],
  };
  await seedRandom(context, {
    count: ENTRIES_PER_TYPE,
    uids: Object.keys(routes),
    replacesSingles: false,
    onProgress: () => undefined,
  });
  const type = ownUserType(definition);
  if (!type || Object.keys(type.attributes).length === 0) return;
  for (const [index, id] of users.entries()) {
    const data = { ...(await randomEntry(context, type, index)), ...randomLinks(context, type, index, new Set()) };
    await entriesOf(entries, type.uid).update(id, data);
  }
}

/**
 * Gives the rows of both servers the same document ids, times and versions, which don't depend on their content. An entry gets another
 * version when something hidden is related to it, which its ETag therefore tells, though neither what nor how often.
 */
export async function align(both: readonly [Twin, Twin], definition: ServerDefinition): Promise<void> {
  const [first, second] = both;
  const { contentTypes } = definition;
  const fileType = fileTypeOf(definition);
  if (fileType) await alignFiles(both, fileType);
  const states = [contentTypes, publishedTypes(contentTypes)];
  const stored = new Map(states.flatMap(({ types }) => Object.values(types)).map((type) => [type.table, type]));
  for (const [table, { documentIds, localized, draftAndPublish }] of stored) {
    const { id: quote, bind } = first.database.dialect;
    const version = quote(COLUMN_NAMES.version);
    const hasDocument = documentIds === true || localized;
    const columns = hasDocument ? sql`id, document_id` : sql`id`;
    const rows = await first.database.all(sql`SELECT ${columns} FROM ${quote(table)}`);
    for (const row of rows) {
      const id = Number(row['id']);
      const time = bind('datetime', timeOf(id));
      const document = hasDocument ? sql`, document_id = ${String(row[COLUMN_NAMES.documentId])}` : sql``;
      for (const { database } of [first, second]) {
        await database.run(
          sql`UPDATE ${quote(table)} SET created_at = ${time}, updated_at = ${time}, ${version} = 1${document} WHERE id = ${id}`,
        );
        if (!draftAndPublish) continue;
        await database.run(
          sql`UPDATE ${quote(table)} SET published_at = ${time} WHERE id = ${id} AND published_at IS NOT NULL`,
        );
      }
    }
  }
  await alignHistory(both, definition);
}

/** Users of each role of the schema, with the same ids on both servers; visitors first. */
async function createCallers(both: readonly [Twin, Twin], definition: ServerDefinition) {
  const callers: TwinCaller[] = [{ role: PUBLIC, userId: undefined, tokens: [] }];
  for (const role of Object.keys(definition.roles).filter((name) => name !== PUBLIC)) {
    for (let number = 1; number <= USERS_PER_ROLE; number += 1) {
      const account = { name: `${role}-${number}`, password: PASSWORD };
      const users = [];
      for (const twin of both) users.push(await twin.userWith(role, account));
      callers.push({ role, userId: users[0]?.userId, tokens: users.map(({ token = '' }) => token) });
    }
  }
  return callers;
}

/** Starts two servers of a project with the same random content, in databases of their own. */
export async function openTwins(project: TwinProject, seed: number): Promise<Twins> {
  const uploads = await mkdtemp(join(tmpdir(), 'prove-files-'));
  const opened: Opened[] = [];
  const close = async (): Promise<void> => {
    for (const twin of opened) await twin.close();
    await rm(uploads, { recursive: true, force: true });
  };
  try {
    const opening = async (): Promise<Twin> => {
      const twin = await openTwin(project, uploads);
      opened.push(twin);
      return twin;
    };
    const both = [await opening(), await opening()] as const;
    const callers = await createCallers(both, project.definition);
    const users = callers.flatMap(({ userId }) => userId ?? []);
    for (const twin of both) await fill(twin, project.definition, users, seed);
    await align(both, project.definition);
    return { both, callers, close };
  } catch (error) {
    await close();
    throw error;
  }
}
