/** `npm run server -- user create|list` of a generated server. */
import { parseArgs } from 'node:util';
import { fillRoles } from '../../access/role-rows.ts';
import { UsageError } from '../../base/command-errors.ts';
import { ValidationError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { addUser, type NewUser, usernameFor } from '../../features/auth/new-user.ts';
import { createSecret } from '../../features/auth/secrets.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';
import { orNearest, unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- user <command>

  create --email EMAIL --role ROLE [--username NAME] [--password PASSWORD] [--data JSON]
          adds a user. Without --password, one is generated and printed once; --data: other attributes of users, {"nickname":"Ada"}
  list    shows all users with their roles
`;

/** The parsed arguments of `create`. */
interface CreateArguments {
  readonly user: NewUser;
  readonly role: string;
  /** The password, if it was generated. */
  readonly generated: string | undefined;
}

function dataOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Reported below.
  }
  throw new UsageError('--data must be a JSON object');
}

/** Length of a generated password in characters: 160 bits can't be guessed, but can still be typed. */
const PASSWORD_LENGTH = 27;

function parseCreate({ roles }: CommandDefinition, args: readonly string[]): CreateArguments {
  const text = { type: 'string' } as const;
  const options = { email: text, role: text, username: text, password: text, data: text };
  const { values } = parseArgs({ args: [...args], options });
  const { email, role, username, password } = values;
  if (!email) throw new UsageError('--email must be given');
  if (!role) throw new UsageError(`--role must be given, such as ${Object.keys(roles).join(', ')}`);
  const generated = password === undefined ? createSecret().slice(0, PASSWORD_LENGTH) : undefined;
  const account = { email, username: username ?? usernameFor(email), password: password ?? generated };
  return { user: { ...dataOf(values.data), ...account }, role, generated };
}

function reasonOf(error: ValidationError): Error {
  const lines = error.issues.map(({ path, message }) => {
    const [name = ''] = path;
    return message.startsWith(name) ? `  ${message}` : `  ${name}: ${message}`;
  });
  return new Error(['The user was not added:', ...lines].join('\n'));
}

function create(definition: CommandDefinition, args: readonly string[]): Command {
  const { user, role, generated } = parseCreate(definition, args);
  return async ({ database, print }) => {
    await fillRoles(database, definition);
    const quote = database.dialect.id;
    const found = await database.get(sql`SELECT id FROM user_roles WHERE ${quote('type')} = ${role}`);
    if (!found) throw new UsageError(`There is no role ${role}${orNearest(role, Object.keys(definition.roles))}`);
    const types = definition.contentTypes;
    await addUser({ database, types }, user, Number(found['id'])).catch((error: unknown) => {
      throw error instanceof ValidationError ? reasonOf(error) : error;
    });
    print(`Added ${String(user['email'])} as ${role}.`);
    if (generated !== undefined) print(`Password: ${generated}`);
    return 0;
  };
}

function list(): Command {
  return async ({ database, print }) => {
    const quote = database.dialect.id;
    const rows = await database.all(
      sql`SELECT u.id, u.username, u.email, u.blocked, r.${quote('type')} AS role FROM users AS u LEFT JOIN user_roles AS r ON r.id = u.role_id ORDER BY u.id`,
    );
    if (rows.length === 0) print('There are no users.');
    for (const { id, username, email, role, blocked } of rows) {
      const state = Number(blocked ?? 0) === 0 ? [] : ['blocked'];
      print([id, username, email, role ?? 'no role', ...state].map(String).join('  '));
    }
    return 0;
  };
}

function parse(definition: CommandDefinition, [command, ...args]: readonly string[]): Command {
  if (command === 'create') return create(definition, args);
  if (command === 'list' && args.length === 0) return list();
  throw unknownCommand(command, ['create', 'list']);
}

/** Runs `npm run server -- user …` with settings from the environment. Returns the exit code. */
export function runUsers(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(definition, args), USAGE);
}
