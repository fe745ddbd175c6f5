/** Relations whose storage changes, such as from a column to a link table: their links are copied. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { RelationStorage } from '#contract/migrations/change.ts';
import type { Column, Index, StorageModel, Table } from '../../storage/storage-model.ts';
import { columnWithRole, hasRole, isTypeTable, originOf } from '../../storage/table-origin.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import { repeatedQuery } from './repeated-values.ts';
import { newNames } from './diff-columns.ts';
import { orderLoss } from './order-loss.ts';
import type { TableDiff } from './table-diff.ts';

/** The storage of a relation: one that is removed from the last state, or one that is new in the schema. */
export interface Stored {
  readonly table: Table;
  /** Undefined if the table is a link table. */
  readonly column: Column | undefined;
  /** The type with the attribute, and the target type. */
  readonly owner: string;
  readonly target: string;
  readonly attribute: string;
  readonly inverse: string | undefined;
}

export interface Copy {
  readonly from: Stored;
  readonly to: Stored;
  readonly mirrored: boolean;
}

function uidsOf({ tables }: StorageModel): ReadonlyMap<string, string> {
  return new Map(tables.filter(isTypeTable).map(({ name, uid }) => [name, uid]));
}

function referenced(table: Table, column: string, uids: ReadonlyMap<string, string>): string {
  return uids.get(table.foreignKeys.find((key) => key.column === column)?.references ?? '') ?? '';
}

function inColumn(table: Table, column: Column, uids: ReadonlyMap<string, string>): readonly Stored[] {
  const { attribute, inverse } = column;
  if (column.role !== 'foreignKey' || attribute === undefined || !isTypeTable(table)) return [];
  const target = referenced(table, column.name, uids);
  return [{ table, column, owner: table.uid, target, attribute, inverse }];
}

function inTable(table: Table, uids: ReadonlyMap<string, string>): readonly Stored[] {
  if (table.kind !== 'link') return [];
  const { uid, attribute, inverse } = table;
  const target = referenced(table, columnWithRole(table, 'target')?.name ?? '', uids);
  return [{ table, column: undefined, owner: uid, target, attribute, inverse }];
}

function sidesMatch(from: Stored, to: Stored): 'straight' | 'mirrored' | undefined {
  if (from.owner === to.owner && from.target === to.target && from.attribute === to.attribute) return 'straight';
  const crosses = from.owner === to.target && from.target === to.owner;
  const sameSide = from.attribute === to.inverse || (from.inverse !== undefined && from.inverse === to.attribute);
  return crosses && sameSide ? 'mirrored' : undefined;
}

/** The relations whose links can be copied. */
export function findCopies(context: DiffContext, diffs: readonly TableDiff[]): readonly Copy[] {
  const { before, after, tables } = context;
  const [oldUids, newUids] = [uidsOf(before), uidsOf(after)];
  const gone = [
    ...diffs.flatMap(({ tables: pair, columns }) => columns.gone.flatMap((one) => inColumn(pair.before, one, oldUids))),
    ...tables.gone.flatMap((table) => inTable(table, oldUids)),
  ];
  const added = [
    ...diffs.flatMap(({ tables: pair, columns }) => columns.added.flatMap((one) => inColumn(pair.after, one, newUids))),
    ...tables.added.flatMap((table) => inTable(table, newUids)),
  ];
  return gone.flatMap((from): readonly Copy[] => {
    for (const to of added) {
      const match = sidesMatch(from, to);
      if (match) return [{ from, to, mirrored: match === 'mirrored' }];
    }
    return [];
  });
}

/** The index that makes a relation one-to-one; not that of a combination of attributes. */
function uniqueIndex({ indexes, columns: all }: Table, column: string): Index | undefined {
  const isLocale = (name: string): boolean => all.some((one) => one.name === name && one.role === 'locale');
  return indexes.find(
    ({ unique, columns: [first, ...others] }) => unique && first === column && others.every(isLocale),
  );
}

function positionOf({ columns }: Table, { attribute }: Column): string | undefined {
  return columns.find((column) => column.role === 'listPosition' && column.attribute === attribute)?.name;
}

/** Describes the storage of a relation; `renamed` gives the current names of its table and columns. */
function storageOf(
  { table, column }: Stored,
  renamed: { readonly table: string; readonly column: (name: string) => string },
): RelationStorage {
  if (!column) {
    return { kind: 'link', table: renamed.table, inversePosition: hasRole(table, 'inversePosition') };
  }
  const position = positionOf(table, column);
  const unique = uniqueIndex(table, column.name);
  return {
    kind: 'column',
    table: renamed.table,
    column: renamed.column(column.name),
    ...(position === undefined ? {} : { position: renamed.column(position) }),
    ...(unique ? { unique: unique.columns.map(renamed.column) } : {}),
  };
}

/** Whether an owner can have several targets, and a target several owners. */
function cardinality({ table, column }: Stored): { readonly targets: boolean; readonly owners: boolean } {
  if (!column) return { targets: true, owners: true };
  return { targets: false, owners: !uniqueIndex(table, column.name) };
}

/** The columns of the old storage whose values may repeat there, but not in the new storage. */
function narrowedKeys({ from, to, mirrored }: Copy): readonly string[] {
  const [source, destination] = [cardinality(from), cardinality(to)];
  const [targets, owners] = mirrored
    ? [destination.owners, destination.targets]
    : [destination.targets, destination.owners];
  return [
    ...(source.targets && !targets ? [COLUMN_NAMES.owner] : []),
    ...(source.owners && !owners ? [from.column?.name ?? COLUMN_NAMES.target] : []),
  ];
}

/** Whether a target's list of its owners has an order of its own. */
function hasInverseOrder({ table, column }: Stored): boolean {
  return column ? positionOf(table, column) !== undefined : hasRole(table, 'inversePosition');
}

/** Reports the loss of the order of a list that remains a list, but whose new storage records no order. */
function loseOrder({ draft }: DiffContext, { from, to, mirrored }: Copy): void {
  if (hasInverseOrder(to) || !cardinality(to).owners) return;
  if (mirrored && !from.column) orderLoss(draft, from.owner, from.attribute);
  if (!mirrored && from.inverse !== undefined && hasInverseOrder(from)) {
    orderLoss(draft, from.target, from.inverse);
  }
}

/** Adds the copies to the draft. */
export function copyRelations(context: DiffContext, diffs: readonly TableDiff[], copies: readonly Copy[]): void {
  const { draft } = context;
  for (const copy of copies) {
    const { from, to, mirrored } = copy;
    const diff = diffs.find(({ tables }) => tables.before.name === from.table.name);
    const names = diff ? newNames(diff) : new Map<string, string>();
    const source = {
      table: diff?.tables.after.name ?? from.table.name,
      column: (name: string) => names.get(name) ?? name,
    };
    const destination = { table: to.table.name, column: (name: string) => name };
    const cause = to.column ? causeOf(to.table, to.attribute) : originOf(to.table);
    draft.add('data', {
      kind: 'copyRelation',
      from: storageOf(from, source),
      to: storageOf(to, destination),
      mirrored,
      cause,
    });
    loseOrder(context, copy);
    const keys = narrowedKeys(copy);
    if (keys.length === 0) continue;
    const query: HintQuery = (writer) =>
      keys.map((key) => repeatedQuery(from.table.name, { columns: [key], given: [key] })(writer)).join('; ');
    const rest = `To keep all links, leave it a list, or move the others to another relation first. To delete them, pass --allow-destructive ${cause}`;
    draft.lose({
      code: 'narrows',
      thing: cause,
      message: `'${cause}' changes from a list to a single entry, so all but the first entry of each list would be removed from it`,
      hint: hintWithQuery(context.databases, 'Find lists with several entries', query, rest),
      places: [cause],
    });
  }
}
