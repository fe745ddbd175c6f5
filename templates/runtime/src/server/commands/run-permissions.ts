/** `npm run permissions -- status|apply` of a generated server. */
import { applyPermissions, differences, type RoleDifference } from '../../access/difference.ts';
import { fillRoles, readRoles } from '../../access/role-rows.ts';
import { UsageError } from '../../base/command-errors.ts';
import { type Command, type CommandDefinition, runCommand } from './command.ts';

const USAGE = `Usage: npm run permissions -- <command>

  status  shows where the permissions in the database are not those of the schema; exit code 1 if there is such a place
  apply   makes the database permit what the schema does
`;

function lines({ role, id, missing, further }: RoleDifference): string[] {
  return [
    id === undefined ? `${role}: a role that the database lacks` : `${role}:`,
    ...missing.map((permission) => `  + ${permission}  only in the schema`),
    ...further.map((permission) => `  - ${permission}  only in the database`),
  ];
}

const status: Command = async ({ definition, database, print }) => {
  const stored = await readRoles(database);
  const found = stored.length === 0 ? [] : differences(definition.roles, stored);
  if (stored.length === 0) print('The first start fills the database with the permissions of the schema.');
  else if (found.length === 0) print('The database permits what the schema does.');
  for (const text of found.flatMap(lines)) print(text);
  return found.length === 0 ? 0 : 1;
};

const apply: Command = async ({ definition, database, print }) => {
  const isFirst = await fillRoles(database, definition.roles);
  const changed = isFirst ? [] : await applyPermissions(database, definition.roles);
  if (isFirst) print('Filled the database with the permissions of the schema.');
  else if (changed.length === 0) print('The database permits what the schema does.');
  for (const text of changed.flatMap(lines)) print(text);
  if (changed.length > 0) print('The database now permits what the schema does.');
  return 0;
};

function parse([command, ...rest]: readonly string[]): Command {
  if (rest.length === 0 && command === 'status') return status;
  if (rest.length === 0 && command === 'apply') return apply;
  throw new UsageError(command === undefined ? 'A command is missing' : `There is no command ${command}`);
}

/** Runs `npm run permissions -- …` with the settings of the environment. Returns the exit code. */
export function runPermissions(definition: CommandDefinition, args: readonly string[]): Promise<number> {
  return runCommand(definition, () => parse(args), USAGE);
}
