/** Building blocks of tables. */
import { COLUMN_NAMES as NAMES } from '#contract/column-names.ts';
import type { DeleteRule } from '#contract/content-type.ts';
import type { NamedRole } from './column-names.ts';
import { constraintName } from './database-name.ts';
import type { Column, ColumnType, ForeignKey, Index, Table } from './storage-model.ts';

/** A NOT NULL column whose name follows from its role. */
export function roleColumn(role: NamedRole, type: ColumnType): Column {
  return { name: NAMES[role], type, role, nullable: false };
}

export function foreignKeyOf(
  table: string,
  column: string,
  references: string,
  onDelete: ForeignKey['onDelete'],
): ForeignKey {
  return { name: constraintName(table, [column], 'fk'), column, references, onDelete };
}

/** An index. Its name contains everything that defines it, so a changed index has a different name. */
export function indexOf(table: string, columns: readonly string[], unique: boolean): Index {
  return { name: constraintName(table, columns, unique ? 'unique' : 'index'), columns, unique };
}

/** Links go with either end, unless they keep the target. */
function ruleOfLinks(onDelete: DeleteRule | undefined): ForeignKey['onDelete'] {
  return onDelete === 'restrict' ? 'restrict' : 'cascade';
}

/** A link table, ordered on one side or on both. */
export function linkTable(options: {
  readonly name: string;
  readonly uid: string;
  readonly attribute: string;
  readonly owner: string;
  readonly target: string;
  readonly bidirectional: boolean;
  readonly onDelete?: DeleteRule;
  readonly inverse?: string;
  readonly entries?: true;
}): Table {
  const { name, uid, attribute, owner, target, bidirectional, onDelete, inverse, entries } = options;
  return {
    name,
    kind: 'link',
    uid,
    attribute,
    ...(inverse === undefined ? {} : { inverse }),
    primaryKey: [NAMES.owner, NAMES.target],
    columns: [
      roleColumn('owner', 'id'),
      { ...roleColumn('target', 'id'), ...(entries ? { entries } : {}) },
      roleColumn('position', 'position'),
      ...(bidirectional ? [roleColumn('inversePosition', 'position')] : []),
    ],
    foreignKeys: [
      foreignKeyOf(name, NAMES.owner, owner, 'cascade'),
      foreignKeyOf(name, NAMES.target, target, ruleOfLinks(onDelete)),
    ],
    indexes: [
      indexOf(name, [NAMES.owner, NAMES.position, NAMES.target], false),
      indexOf(name, bidirectional ? [NAMES.target, NAMES.inversePosition, NAMES.owner] : [NAMES.target], false),
    ],
  };
}

/** A foreign key column that points to the table of the type `uid`. */
export interface TargetColumn {
  readonly uid: string;
  readonly column: string;
  readonly table: string;
  readonly entries?: true;
}

/** Keys, indexes and columns of a table whose rows each point to one entry of one of several types. */
function severalTargets(name: string, owner: string, targets: readonly TargetColumn[], onDelete?: DeleteRule) {
  return {
    columns: targets.map(({ column, uid, entries }): Column => ({
      name: column,
      type: 'id',
      role: 'target',
      nullable: true,
      targetType: uid,
      ...(entries ? { entries } : {}),
    })),
    foreignKeys: [
      foreignKeyOf(name, NAMES.owner, owner, 'cascade'),
      ...targets.map(({ column, table }) => foreignKeyOf(name, column, table, ruleOfLinks(onDelete))),
    ],
    indexes: targets.map(({ column }) => indexOf(name, [column], false)),
  };
}

/** The table of a polymorphic relation. */
export function morphTable(options: {
  readonly name: string;
  readonly uid: string;
  readonly attribute: string;
  readonly owner: string;
  readonly targets: readonly TargetColumn[];
  readonly many: boolean;
  readonly onDelete: DeleteRule;
}): Table {
  const { name, uid, attribute, owner, targets, many, onDelete } = options;
  const several = severalTargets(name, owner, targets, onDelete);
  return {
    name,
    kind: 'morph',
    uid,
    attribute,
    primaryKey: [NAMES.id],
    columns: [
      roleColumn('id', 'id'),
      roleColumn('owner', 'id'),
      roleColumn('position', 'position'),
      ...several.columns,
    ],
    foreignKeys: several.foreignKeys,
    indexes: [
      many ? indexOf(name, [NAMES.owner, NAMES.position], false) : indexOf(name, [NAMES.owner], true),
      ...targets.map(({ column }) => indexOf(name, [NAMES.owner, column], true)),
      ...several.indexes,
    ],
  };
}

/** The table of the relations and media inside the components of a type. */
export function componentLinkTable(options: {
  readonly name: string;
  readonly uid: string;
  readonly owner: string;
  readonly targets: readonly TargetColumn[];
}): Table {
  const { name, uid, owner, targets } = options;
  const several = severalTargets(name, owner, targets);
  return {
    name,
    kind: 'componentLinks',
    uid,
    primaryKey: [NAMES.id],
    columns: [
      roleColumn('id', 'id'),
      roleColumn('owner', 'id'),
      roleColumn('item', 'biginteger'),
      roleColumn('itemAttribute', 'string'),
      roleColumn('position', 'position'),
      ...several.columns,
    ],
    foreignKeys: several.foreignKeys,
    indexes: [indexOf(name, [NAMES.owner, NAMES.item, NAMES.itemAttribute, NAMES.position], false), ...several.indexes],
  };
}

/**
 * The table that generates the ids of all component items of a server. The runtime uses the same name. Its rows are not
 * kept: the items themselves are stored in their entries.
 */
export const COMPONENT_IDS: Table = {
  name: 'component_ids',
  kind: 'server',
  role: 'componentIds',
  primaryKey: [NAMES.id],
  columns: [roleColumn('id', 'id')],
  foreignKeys: [],
  indexes: [],
};
