/** What undoing a migration would lose of tables that were filled from others: published versions and their links. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { Change } from '../contract/migrations/change.ts';
import type { Column, Table } from '../contract/migrations/planned-table.ts';
import type { Session } from '../database/database.ts';
import { join, sql, type Sql } from '../database/sql.ts';
import type { Loss } from './lost-order.ts';

type CopyRows = Extract<Change, { kind: 'copyRows' }>;

/** Whether a column tells a version from the one that it was copied from: times tell of writes, but not of those of other entries. */
function tellsVersions({ name, role }: Column): boolean {
  return role === 'id' || role === 'foreignKey' || role === 'listPosition' || name === COLUMN_NAMES.updatedAt;
}

/** The condition for a row of the alias `source` that is the same as that of a table. */
function isSame({ dialect: { id } }: Session, table: Table, columns: readonly Column[]): Sql {
  const equal = columns.map(({ name, nullable }) => {
    const [one, other] = [sql`source.${id(name)}`, sql`${id(table.name)}.${id(name)}`];
    return nullable ? sql`(${one} = ${other} OR (${one} IS NULL AND ${other} IS NULL))` : sql`${one} = ${other}`;
  });
  return join(equal, ' AND ');
}

/** The links of drafts to which undoing would give everyone access. `entries`: the table of the published versions. */
function lossOfDraftLinks(session: Session, table: Table, from: string, same: Sql, entries: Table): Loss {
  const { id } = session.dialect;
  const owner = sql`(SELECT 1 FROM ${id(entries.name)} AS entry WHERE entry.id = source.owner_id)`;
  return {
    table: from,
    rows: sql`${id(from)} AS source`,
    where: sql`EXISTS ${owner} AND NOT EXISTS (SELECT 1 FROM ${id(table.name)} WHERE ${same})`,
    describe: (rows, at) => `drafts: everyone could read ${rows} of ${at}`,
  };
}

/** The rows of a table that are not where they were copied from. `entries`: for links, the table of the published versions. */
export function lossesOfCopies(
  session: Session,
  table: Table,
  { copy: { from, columns, published }, entries }: { readonly copy: CopyRows; readonly entries: Table | undefined },
): readonly Loss[] {
  const { id } = session.dialect;
  const filled = new Set(columns);
  const compared = table.columns.filter((column) => filled.has(column.name) && (!published || tellsVersions(column)));
  const same = isSame(session, table, compared);
  const what = published ? ': published versions of entries whose drafts have changed since' : '';
  const changed: Loss = {
    table: table.name,
    where: sql`NOT EXISTS (SELECT 1 FROM ${id(from)} AS source WHERE ${same})`,
    describe: (rows, at) => `${rows} of ${at}${what}`,
  };
  return entries ? [changed, lossOfDraftLinks(session, table, from, same, entries)] : [changed];
}
