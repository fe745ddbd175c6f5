/** `npm run server -- permissions status|apply|matrix` of a generated server. */
import { applyPermissions, differences, type RoleDifference } from '../../access/difference.ts';
import { fillRoles, readRoles } from '../../access/role-rows.ts';
import type { DeclaresEndpoints } from '../mount-endpoints.ts';
import { permissionMatrix, type PermittingDefinition } from '../permission-matrix.ts';
import { type Command, type CommandDefinition, runCommand, runWithoutDatabase } from './command.ts';
import { unknownCommand } from './wrong-arguments.ts';

/** What `--help` prints. */
export const USAGE = `Usage: npm run server -- permissions <command>

  status  shows where the permissions in the database differ from the schema; exit code 1 if they do
  apply   changes the permissions in the database to those of the schema
  matrix  shows which roles of the schema may send which requests, including endpoints of src/extensions/
`;

function lines({ role, id, missing, further, changed }: RoleDifference): string[] {
  return [
    id === undefined ? `${role}: a role that the database lacks` : `${role}:`,
    ...missing.map((permission) => `  + ${permission}  only in the schema`),
    ...further.map((permission) => `  - ${permission}  only in the database`),
    ...changed.map((permission) => `  * ${permission}  with another rule in the database`),
  ];
}

const status: Command = async ({ definition, database, print }) => {
  const stored = await readRoles(database, definition.rules !== undefined);
  const found = stored.length === 0 ? [] : differences(definition, stored);
  if (stored.length === 0) print('The first start fills the database with the permissions of the schema.');
  else if (found.length === 0) print('The permissions in the database match the schema.');
  for (const text of found.flatMap(lines)) print(text);
  return found.length === 0 ? 0 : 1;
};

const apply: Command = async ({ definition, database, print }) => {
  const isFirst = await fillRoles(database, definition);
  const changed = isFirst ? [] : await applyPermissions(database, definition);
  if (isFirst) print('Filled the database with the permissions of the schema.');
  else if (changed.length === 0) print('The permissions in the database match the schema.');
  for (const text of changed.flatMap(lines)) print(text);
  if (changed.length > 0) print('The permissions in the database now match the schema.');
  return 0;
};

/** Prints an aligned table with a line per request, in the order in which the routes are mounted. */
function matrix(definition: PermittingDefinition, extensions: DeclaresEndpoints): number {
  const rows = permissionMatrix(definition, extensions).map(
    ({ method, path, permission = '–', roles }) => [`${method} ${path}`, permission, roles.join(', ') || '–'] as const,
  );
  const table = [['request', 'permission', 'roles of the schema'] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  process.stdout.write(`${table.map(lineOf).join('\n')}\n`);
  return 0;
}

function parse([command, ...rest]: readonly string[]): Command {
  if (rest.length === 0 && command === 'status') return status;
  if (rest.length === 0 && command === 'apply') return apply;
  throw unknownCommand(command, ['status', 'apply', 'matrix']);
}

/** Runs `npm run server -- permissions …` with settings from the environment. Returns the exit code. */
export function runPermissions(
  definition: CommandDefinition & PermittingDefinition,
  extensions: DeclaresEndpoints,
  args: readonly string[],
): Promise<number> {
  if (args.length === 1 && args[0] === 'matrix') {
    return runWithoutDatabase(async () => matrix(definition, extensions), USAGE);
  }
  return runCommand(definition, () => parse(args), USAGE);
}
