/** Checks that a database has what this server needs: its migrations, the permissions of the schema, and room to write. */
import { differences } from '../../access/difference.ts';
import { readRoles } from '../../access/role-rows.ts';
import type { Database } from '../../database/database.ts';
import { migrate } from '../../migrator/migrate.ts';
import type { CommandDefinition } from '../commands/command.ts';
import { writeAndDelete } from '../write-readiness.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const migrations = findingsAbout('migrations');
const permissions = findingsAbout('permissions');
const writing = findingsAbout('writing');

/** Checks for pending migrations. `directory` contains the migrations; `appliesThem`: whether a start applies them. */
export async function checkMigrations(
  database: Database,
  directory: string,
  appliesThem: boolean,
): Promise<readonly Finding[]> {
  try {
    const report = await migrate(database, { directory, dialect: database.dialect.name }, 'status');
    const pending = report.migrations.filter(({ appliedAt }) => appliedAt === undefined).map(({ name }) => name);
    const open = report.unsealed.map((name) =>
      migrations.warning(`${name} is not sealed: npx content-gen migrations seal`),
    );
    if (pending.length === 0) return [migrations.good(`all ${report.migrations.length} are applied`), ...open];
    const how = appliesThem ? 'the next start applies them' : 'apply them: npm run server -- migrate up';
    return [migrations[appliesThem ? 'warning' : 'bad'](`pending: ${pending.join(', ')}; ${how}`), ...open];
  } catch (error) {
    return [migrations.bad(messageOf(error))];
  }
}

async function checkPermissions(database: Database, definition: CommandDefinition): Promise<Finding> {
  const found = differences(definition, await readRoles(database, definition.rules !== undefined));
  if (found.length === 0) return permissions.good('match the schema');
  const names = found.map(({ role }) => role).join(', ');
  return permissions.warning(`differ from the schema for ${names}: npm run server -- permissions status`);
}

async function checkWriting(database: Database): Promise<Finding> {
  try {
    await writeAndDelete(database, `doctor ${process.pid}`);
    return writing.good('the database is writable');
  } catch (error) {
    const { cause } = error as Error;
    return writing.bad(`the database is not writable: ${messageOf(cause ?? error)}`);
  }
}

/** Checks permissions and writing. All migrations must have been applied. */
export async function checkContent(database: Database, definition: CommandDefinition): Promise<readonly Finding[]> {
  return [await checkPermissions(database, definition), await checkWriting(database)];
}
