/** `npm run server -- token create|list|revoke` of a generated server. */
import { parseArgs } from 'node:util';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { join, sql } from '../../database/sql.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  type NewToken,
  revokeApiToken,
  TOKEN_KINDS,
} from '../../features/auth/api-tokens.ts';
import { parseDuration } from '../../features/auth/duration.ts';
import { UsageError } from '../../base/command-errors.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { orNearest, unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- token <command>

  create --name NAME --type full-access|read-only|custom [--permission article.find …] [--expires 30d]
          prints a new token, which is not shown again; --expires: a duration such as 30d, 12h or 15m, or a date such as 2030-01-31
  list    shows all tokens, but not their secrets
  revoke --name NAME
          revokes a token
`;

/** The expiry given by `--expires`, in ISO 8601; null for never. */
function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const seconds = parseDuration(text);
  const instant = seconds === undefined ? Date.parse(text) : Date.now() + seconds * 1000;
  const date = new Date(instant);
  if (Number.isNaN(instant) || Number.isNaN(date.getTime())) {
    throw new UsageError(`--expires ${text} is neither a duration such as 30d nor a date`);
  }
  return date.toISOString();
}

/** The permissions for the same type or endpoint, or else a similar one. */
function possibleFor(unknown: string, known: ReadonlySet<string>): string {
  const subject = unknown.slice(0, unknown.indexOf('.') + 1);
  const same = subject === '' ? [] : [...known].filter((name) => name.startsWith(subject));
  return same.length > 0 ? `; there are ${same.join(', ')}` : orNearest(unknown, known);
}

function permissionsOf(
  { contentTypes }: CommandDefinition,
  kind: NewToken['kind'],
  given: readonly string[],
): readonly string[] {
  if (kind !== 'custom' && given.length > 0) throw new UsageError('--permission requires --type custom');
  if (kind === 'custom' && given.length === 0) throw new UsageError('--type custom requires --permission');
  const known = new Set(knownPermissions(contentTypes));
  const unknown = given.find((name) => !known.has(name));
  if (unknown !== undefined) throw new UsageError(`there is no permission ${unknown}${possibleFor(unknown, known)}`);
  return [...new Set(given)];
}

function parseCreate(definition: CommandDefinition, args: readonly string[]): NewToken {
  const { values } = parseArgs({
    args: [...args],
    options: {
      name: { type: 'string' },
      type: { type: 'string' },
      permission: { type: 'string', multiple: true, default: [] },
      expires: { type: 'string' },
    },
  });
  const kind = TOKEN_KINDS.find((known) => known === values.type);
  if (!values.name || values.name.length > 255) {
    throw new UsageError('--name must be given, with at most 255 characters');
  }
  if (!kind) throw new UsageError(`--type must be one of ${TOKEN_KINDS.join(', ')}`);
  const permissions = permissionsOf(definition, kind, values.permission);
  return { name: values.name, kind, permissions, expiresAt: expiryOf(values.expires) };
}

/** User names by id. */
type UserNames = ReadonlyMap<number, string>;

async function creatorsOf(database: Database, tokens: readonly ApiToken[]): Promise<UserNames> {
  const ids = [...new Set(tokens.flatMap(({ userId }) => userId ?? []))].map((id) => sql`${id}`);
  if (ids.length === 0) return new Map();
  const rows = await database.all(sql`SELECT id, username FROM users WHERE id IN (${join(ids, ', ')})`);
  return new Map(rows.map((row) => [Number(row['id']), String(row['username'])]));
}

function line({ name, kind, permissions, expiresAt, lastUsedAt, userId }: ApiToken, creators: UserNames): string {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const end = expiresAt === null ? 'never expires' : `${isOver ? 'expired' : 'expires'} ${expiresAt}`;
  const use = lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`;
  const maker =
    userId === null ? 'created on the command line' : `created by user ${userId} ${creators.get(userId) ?? ''}`;
  // One line per token, whatever its name is.
  const shown = name.replaceAll('\n', ' ');
  return [shown, kind, end, use, maker, ...(permissions.length > 0 ? [permissions.join(' ')] : [])].join('  ');
}

/** Creates a token; resolves to what it is. Throws if there is one of that name. */
async function addNamed(database: Database, token: NewToken): Promise<string> {
  try {
    return (await createApiToken(database, token)).token;
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const { name } = token;
    throw new Error(`There is an API token ${name} already: choose another name, or revoke it with \`token revoke\``, {
      cause: error,
    });
  }
}

function create(definition: CommandDefinition, args: readonly string[]): Command {
  const token = parseCreate(definition, args);
  return async ({ database, print }) => {
    print(await addNamed(database, token));
    return 0;
  };
}

function list(): Command {
  return async ({ database, print }) => {
    const tokens = await listApiTokens(database);
    if (tokens.length === 0) print('There are no API tokens.');
    const creators = await creatorsOf(database, tokens);
    for (const token of tokens) print(line(token, creators));
    return 0;
  };
}

function revoke(args: readonly string[]): Command {
  const { values } = parseArgs({ args: [...args], options: { name: { type: 'string' } } });
  const { name } = values;
  if (!name) throw new UsageError('--name must be given');
  return async ({ database, print }) => {
    const isGone = await revokeApiToken(database, { name });
    print(isGone ? `Revoked ${name}` : `There is no API token ${name}`);
    return isGone ? 0 : 1;
  };
}

function parse(definition: CommandDefinition, [command, ...args]: readonly string[]): Command {
  if (command === 'create') return create(definition, args);
  if (command === 'list' && args.length === 0) return list();
  if (command === 'revoke') return revoke(args);
  throw unknownCommand(command, ['create', 'list', 'revoke']);
}

/** Runs `npm run server -- token …` with settings from the environment. Returns the exit code. */
export function runTokens(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(definition, args), USAGE);
}
