/** Attributes of localized types that all locales share from now on. */
import { COLUMN_NAMES } from '../../storage/column-names.ts';
import type { Column, Table } from '../../storage/storage-model.ts';
import { isTypeTable, typeTable, uidOf } from '../../storage/table-origin.ts';
import type { ItemPlace } from '../history/items-edit.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { itemPlaces, shapesByUid } from './item-places.ts';
import type { TableDiff } from './table-diff.ts';

/** A query that counts the entries that would change. Lists and components are not compared. */
function countDiffering(type: Table, table: Table, { name, holds, type: stored }: Column): HintQuery {
  const isComparable = table === type && holds === undefined && stored !== 'json';
  return ({ id }) => {
    const [own, document] = [name, COLUMN_NAMES.documentId].map(id);
    const differs = isComparable ? `count(DISTINCT ${own}) > 1 OR count(${own}) NOT IN (0, count(*))` : 'count(*) > 1';
    return `SELECT count(*) FROM (SELECT ${document} FROM ${id(type.name)} GROUP BY ${document} HAVING ${differs}) AS entries`;
  };
}

function ask(
  { draft, databases, before: { locales = [] } }: DiffContext,
  type: Table,
  table: Table,
  column: Column,
  thing: string,
): void {
  draft.lose({
    code: 'shares',
    thing,
    message: `'${thing}' is no longer localized, so all locales of an entry would get its value in '${locales[0] ?? ''}', or in the first of the other locales if the entry lacks that one`,
    hint: hintWithQuery(
      databases,
      `Count the entries ${table === type ? 'whose locales differ' : 'with several locales'}`,
      countDiffering(type, table, column),
      `To replace the values of the other locales, pass --allow-destructive ${thing}`,
    ),
    places: [thing],
  });
}

/** The columns of a link, apart from its owner and its id. */
function copiedOf({ columns }: Table): readonly string[] {
  return columns.filter(({ role }) => role !== 'owner' && role !== 'id').map(({ name }) => name);
}

function placesOf({ after }: DiffContext, { name, holds }: Column): readonly ItemPlace[] {
  return holds ? [...itemPlaces(name, holds, shapesByUid(after.components))].map(({ place }) => place) : [];
}

/** Makes the locales of each entry equal in attributes that are no longer localized. */
export function diffSharing(context: DiffContext, diffs: readonly TableDiff[]): void {
  const { draft, before, after } = context;
  const { locales = [] } = before;
  for (const { tables, columns } of diffs) {
    const table = tables.after;
    const type = isTypeTable(table) ? table : typeTable(after, uidOf(table) ?? '');
    for (const { before: was, after: column } of columns.pairs) {
      if (!type || was.shared !== false || column.shared !== true) continue;
      const thing = causeOf(table, column.attribute);
      ask(context, type, table, column, thing);
      const entries = { type: type.name, locales, cause: thing };
      const copied = table === type ? {} : { copied: copiedOf(table) };
      draft.add('data', { kind: 'shareValues', table: table.name, column: column.name, ...entries, ...copied });
      const links = after.tables.find((one) => one.kind === 'componentLinks' && one.uid === type.uid);
      if (!column.holds || !links || !before.tables.some(({ name }) => name === links.name)) continue;
      const places = placesOf(context, column);
      const copies = { table: links.name, copied: copiedOf(links), ...entries };
      draft.add('data', { kind: 'shareItemLinks', column: column.name, places, ...copies });
      const all = columns.pairs.flatMap((pair) => placesOf(context, pair.after));
      const gone = { of: 'goneItems', owner: table.name, places: all } as const;
      draft.add('data', { kind: 'deleteRows', table: links.name, rows: gone, cause: thing });
    }
  }
}
