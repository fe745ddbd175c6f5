/** Pieces that tables are put together from. */
import { constraintName } from './database-name.ts';
import type { Column, ColumnType, ForeignKey, Index, Table } from './storage-model.ts';

/** A column that always has a value. */
export function needed(name: string, type: ColumnType): Column {
  return { name, type, nullable: false };
}

/** A column that may be empty. */
export function optional(name: string, type: ColumnType): Column {
  return { name, type, nullable: true };
}

export function foreignKeyOf(
  table: string,
  column: string,
  references: string,
  onDelete: ForeignKey['onDelete'],
): ForeignKey {
  return { name: constraintName(table, [column], 'fk'), column, references, onDelete };
}

/** An index named by all that it is: a change of it is another index. */
export function indexOf(table: string, columns: readonly string[], unique: boolean): Index {
  return { name: constraintName(table, columns, unique ? 'unique' : 'index'), columns, unique };
}

/** A table of pairs, ordered on one side or on both. */
export function linkTable(options: {
  readonly name: string;
  readonly origin: string;
  readonly owner: string;
  readonly target: string;
  readonly bidirectional: boolean;
  readonly inverse?: string;
}): Table {
  const { name, origin, owner, target, bidirectional, inverse } = options;
  return {
    name,
    origin,
    ...(inverse === undefined ? {} : { inverse }),
    primaryKey: ['owner_id', 'target_id'],
    columns: [
      needed('owner_id', 'id'),
      needed('target_id', 'id'),
      needed('position', 'position'),
      ...(bidirectional ? [needed('inverse_position', 'position')] : []),
    ],
    foreignKeys: [foreignKeyOf(name, 'owner_id', owner, 'cascade'), foreignKeyOf(name, 'target_id', target, 'cascade')],
    indexes: [
      indexOf(name, ['owner_id', 'position', 'target_id'], false),
      indexOf(name, bidirectional ? ['target_id', 'inverse_position', 'owner_id'] : ['target_id'], false),
    ],
  };
}

/** A column and the table whose rows it names, which is that of the type `uid`. */
export interface TargetColumn {
  readonly uid: string;
  readonly column: string;
  readonly table: string;
}

/** Keys, indexes and columns of a table whose rows each name one entry of one of several types. */
function severalTargets(name: string, owner: string, targets: readonly TargetColumn[]) {
  return {
    columns: targets.map(({ column, uid }) => ({ ...optional(column, 'id'), origin: uid })),
    foreignKeys: [
      foreignKeyOf(name, 'owner_id', owner, 'cascade'),
      ...targets.map(({ column, table }) => foreignKeyOf(name, column, table, 'cascade')),
    ],
    indexes: targets.map(({ column }) => indexOf(name, [column], false)),
  };
}

/** The table of a polymorphic relation. */
export function morphTable(options: {
  readonly name: string;
  readonly origin: string;
  readonly owner: string;
  readonly targets: readonly TargetColumn[];
  readonly many: boolean;
}): Table {
  const { name, origin, owner, targets, many } = options;
  const several = severalTargets(name, owner, targets);
  return {
    name,
    origin,
    primaryKey: ['id'],
    columns: [needed('id', 'id'), needed('owner_id', 'id'), needed('position', 'position'), ...several.columns],
    foreignKeys: several.foreignKeys,
    indexes: [
      many ? indexOf(name, ['owner_id', 'position'], false) : indexOf(name, ['owner_id'], true),
      ...targets.map(({ column }) => indexOf(name, ['owner_id', column], true)),
      ...several.indexes,
    ],
  };
}

/** The table of the relations and media inside the components of a type. */
export function componentLinkTable(options: {
  readonly name: string;
  readonly origin: string;
  readonly owner: string;
  readonly targets: readonly TargetColumn[];
}): Table {
  const { name, origin, owner, targets } = options;
  const several = severalTargets(name, owner, targets);
  return {
    name,
    origin,
    primaryKey: ['id'],
    columns: [
      needed('id', 'id'),
      needed('owner_id', 'id'),
      needed('item_id', 'biginteger'),
      needed('attribute', 'string'),
      needed('position', 'position'),
      ...several.columns,
    ],
    foreignKeys: several.foreignKeys,
    indexes: [indexOf(name, ['owner_id', 'item_id', 'attribute', 'position'], false), ...several.indexes],
  };
}

/**
 * The table whose generated ids are those of all component items of a server; the runtime knows it by this name. No row
 * stays in it: the items themselves are values of their entries.
 */
export const COMPONENT_IDS: Table = {
  name: 'component_ids',
  origin: 'components, their ids',
  primaryKey: ['id'],
  columns: [needed('id', 'id')],
  foreignKeys: [],
  indexes: [],
};
