/** Checks that an import overwrites nothing: the database must have no content. */
import { CommandRefused } from '../../base/command-errors.ts';
import type { TransferTable } from '../../contract/content-transfer.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { differences } from '../../access/difference.ts';
import { readRoles, type SchemaRoles } from '../../access/role-rows.ts';
import { ROLE_TABLES } from '../../content/stored-rows/stored-tables.ts';

async function hasRows({ dialect, get }: Executor, table: string): Promise<boolean> {
  return (await get(sql`SELECT 1 AS found FROM ${dialect.id(table)} ${raw('LIMIT 1')}`)) !== undefined;
}

/** Whether there are no roles, or exactly those that the first start of a server creates. */
async function matchSchema(tx: Executor, schema: SchemaRoles): Promise<boolean> {
  const stored = await readRoles(tx, schema.rules !== undefined);
  if (stored.length === 0) return true;
  return stored.length === Object.keys(schema.roles).length && differences(schema, stored).length === 0;
}

/** Throws CommandRefused, naming the tables that have rows. Roles that match the schema are allowed. */
export async function checkEmpty(tx: Executor, tables: readonly TransferTable[], schema: SchemaRoles): Promise<void> {
  const filled: string[] = [];
  for (const { name } of tables) {
    if (!ROLE_TABLES.includes(name) && (await hasRows(tx, name))) filled.push(name);
  }
  if (filled.length > 0) {
    throw new CommandRefused(
      `The database already has content, in ${filled.join(', ')}. Import into an empty one. Nothing was changed.`,
    );
  }
  const hasRoles = tables.some(({ name }) => ROLE_TABLES.includes(name));
  if (hasRoles && !(await matchSchema(tx, schema))) {
    throw new CommandRefused(
      `The database has roles or permissions that differ from the schema, in ${ROLE_TABLES.join(', ')}. ` +
        'Import into an empty one, or list the differences: npm run server -- permissions status',
    );
  }
}

/** Removes the roles that the first start of a server created. */
export async function removeRoles(tx: Executor): Promise<void> {
  for (const table of ROLE_TABLES.toReversed()) await tx.run(deleteRows(tx.dialect.id(table), sql`1 = 1`));
}
