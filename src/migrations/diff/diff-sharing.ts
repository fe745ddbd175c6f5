/** Attributes of localized types that all locales share from now on. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import type { Column, Table, TypeTable } from '../../storage/storage-model.ts';
import { columnWithRole, hasRole, isTypeTable, typeTable, uidOf } from '../../storage/table-origin.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import type { Copy, Stored } from './diff-relations.ts';
import { itemPlaces, shapesByUid } from './item-places.ts';
import { nameEntries, numberPlaces } from './name-entries.ts';
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
    message: `'${thing}' is no longer localized, so all locales of an entry would get its value in '${locales[0] ?? ''}', or in the first of the other locales if the entry lacks that one${column.required === undefined ? '' : ' or its value'}`,
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

/** Gives the locales of each entry the links of the items that they have in common from now on. */
function shareItems(context: DiffContext, type: TypeTable, { tables, columns }: TableDiff, column: Column): void {
  const { draft, before, after } = context;
  const { locales = [] } = before;
  const links = after.tables.find((one) => one.kind === 'componentLinks' && one.uid === type.uid);
  if (!column.holds || !links || !before.tables.some(({ name }) => name === links.name)) return;
  const cause = causeOf(tables.after, column.attribute);
  const entries = { type: type.name, locales, cause };
  const copies = { table: links.name, copied: copiedOf(links), ...entries };
  draft.add('data', { kind: 'shareItemLinks', column: column.name, places: placesOf(context, column), ...copies });
  const all = columns.pairs.flatMap((pair) => placesOf(context, pair.after));
  const gone = { of: 'goneItems', owner: tables.after.name, places: all } as const;
  draft.add('data', { kind: 'deleteRows', table: links.name, rows: gone, cause });
}

/** Whether entries may have several locales, which differ. */
function hasSeveral({ before: { locales = [] }, after }: DiffContext): boolean {
  return locales.length === 0 || locales.filter((one) => after.locales?.includes(one)).length > 1;
}

/** Makes the locales of each entry equal in the values, or the links, of a column. */
function share(context: DiffContext, type: TypeTable, table: Table, column: Column): void {
  const { draft, before } = context;
  const { locales = [] } = before;
  const thing = causeOf(table, column.attribute);
  ask(context, type, table, column, thing);
  const entries = { type: type.name, locales, cause: thing };
  const copied = table === type ? {} : { copied: copiedOf(table) };
  const required = column.required === undefined ? {} : ({ required: true } as const);
  draft.add('data', {
    kind: 'shareValues',
    table: table.name,
    column: column.name,
    ...entries,
    ...copied,
    ...required,
  });
  const reference = table === type ? column : columnWithRole(table, 'target');
  if (reference) numberPlaces(context, table, reference);
}

/** Makes the locales of each entry equal in the columns for which `isMeant` holds, if they are no longer localized. */
function shareColumns(context: DiffContext, diffs: readonly TableDiff[], isMeant: (column: Column) => boolean): void {
  if (!hasSeveral(context)) return;
  for (const diff of diffs) {
    const table = diff.tables.after;
    const type = isTypeTable(table) ? table : typeTable(context.after, uidOf(table) ?? '');
    for (const { before: was, after: column } of diff.columns.pairs) {
      if (!type || was.shared !== false || column.shared !== true || !isMeant(column)) continue;
      share(context, type, table, column);
      shareItems(context, type, diff, column);
    }
  }
}

/** Makes the locales of each entry equal in attributes that are no longer localized, and references to rows refer to entries. */
export function diffSharing(context: DiffContext, diffs: readonly TableDiff[]): void {
  shareColumns(context, diffs, ({ holds }) => holds === undefined);
  for (const { tables, columns } of diffs) {
    for (const { before: was, after: column } of columns.pairs) {
      if (column.entries && !was.entries) nameEntries(context, tables.after, column);
    }
  }
}

/** The same for component items, once they have their new shape. */
export function shareComponents(context: DiffContext, diffs: readonly TableDiff[]): void {
  shareColumns(context, diffs, ({ holds }) => holds !== undefined);
}

/** The columns of a relation: that of its owner, which says whether its locales share it, and that of its target. */
function columnsOf({ table, column }: Stored): readonly Column[] {
  if (column) return [column];
  return (['owner', 'target'] as const).flatMap((role) => columnWithRole(table, role) ?? []);
}

/** The same for relations that are stored in another way from now on. */
export function shareCopies(context: DiffContext, copies: readonly Copy[]): void {
  const { before, after } = context;
  for (const { from, to } of copies) {
    const was = columnsOf(from);
    if (was.some(({ shared, entries }) => shared === true || entries)) continue;
    const former = typeTable(before, from.owner);
    // A history that doesn't record `shared` can't tell.
    const isKnown = was.some(({ shared }) => shared !== undefined) || !(former && hasRole(former, 'locale'));
    const type = typeTable(after, to.owner);
    const owner = typeTable(before, to.owner);
    const columns = columnsOf(to);
    const own = hasSeveral(context) ? columns.find(({ shared }) => shared === true) : undefined;
    if (isKnown && type && own && owner && hasRole(owner, 'locale')) share(context, type, to.table, own);
    for (const column of columns.filter(({ entries }) => entries)) nameEntries(context, to.table, column);
  }
}
