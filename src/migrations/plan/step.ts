/** The steps that an engine executes, and how each is undone. */
import { isDeepStrictEqual } from 'node:util';
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Change } from '#contract/migrations/change.ts';
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import type { IndexMember } from '#contract/stored-table.ts';
import type { Column, ColumnType, ForeignKey, Table } from '../../storage/storage-model.ts';
import { originOf } from '../../storage/table-origin.ts';
import { changesItems, convertedTo, invertItems, losesItems, mergesValues } from '../history/items-edit.ts';

/** Adds a dropped column again, without its values. If it is not nullable, its rows get placeholders. */
interface RestoreColumn {
  readonly kind: 'restoreColumn';
  readonly table: string;
  readonly column: Column;
  readonly foreignKey?: ForeignKey;
  /** The value of its rows. */
  readonly fillWith?: string;
  /** The column of the same row from which the value is copied. */
  readonly fillFrom?: string;
  readonly cause?: string;
}

/** Stops the migration if there are rows that later steps can't keep. `published`: drafts may be so. */
export interface CheckStep {
  readonly kind: 'checkRows';
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows:
    /** With a value that the conversion to another type would change. */
    | { readonly of: 'misfits'; readonly from: ColumnType; readonly to: ColumnType }
    /** Without a value. */
    | { readonly of: 'empty'; readonly published?: true }
    /** With duplicate values. */
    | { readonly of: 'duplicates' }
    /** With a value that another entry has, too, in whatever locale. */
    | { readonly of: 'repeatedByEntries' }
    /** With text inside a component that is too long for an index. */
    | { readonly of: 'longMembers'; readonly member: IndexMember }
    | { readonly of: 'any'; readonly published?: true }
    /** Whose published version, in another table, differs. */
    | { readonly of: 'pending'; readonly versions: string };
  readonly cause?: string;
}

/** The changes of a migration, engine-specific steps, and steps that occur only when a migration is undone. */
export type Step =
  | Change
  | {
      readonly kind: 'addForeignKey' | 'dropForeignKey';
      readonly table: string;
      readonly foreignKey: ForeignKey;
      readonly cause?: string;
    }
  | RestoreColumn
  | CheckStep
  /** Stops the migration if component items have values that can't be converted to another type. */
  | {
      readonly kind: 'checkMembers';
      readonly from: ColumnType;
      readonly to: ColumnType;
      readonly items: readonly { readonly table: string; readonly place: ItemPlace; readonly member: string }[];
      readonly cause?: string;
    }
  /** For PostgreSQL: a constraint on an existing table, in parts, so that writes are not blocked while its rows are read. */
  | ConstraintStep
  /** The fill of a step: in batches (`fillRanges`), or for rows that were added since then (`fillRest`). */
  | { readonly kind: 'fillRanges' | 'fillRest'; readonly of: FillStep; readonly cause?: string }
  /** Something that can't be undone. */
  | { readonly kind: 'lost'; readonly what: string; readonly cause?: string };

/** The steps that can fill many rows. */
export type FillStep = Extract<
  Change | RestoreColumn,
  { readonly kind: 'addColumn' | 'restoreColumn' | 'fillEmpty' | 'mapValues' }
>;

/**
 * A constraint in parts: `addUnchecked` enforces it for new rows, `validate` checks existing rows, and `setNotNull` replaces it with
 * `NOT NULL`.
 */
export type ConstraintStep = {
  readonly kind: 'addUnchecked' | 'validate' | 'setNotNull';
  readonly table: string;
  /** A foreign key, or NOT NULL. */
  readonly constraint:
    | { readonly kind: 'foreignKey'; readonly foreignKey: ForeignKey }
    | { readonly kind: 'required'; readonly column: Column };
  readonly cause?: string;
};

function swapped<T extends { readonly from: unknown; readonly to: unknown }>(change: T): T {
  return { ...change, from: change.to, to: change.from };
}

type CheckMembers = Extract<Step, { kind: 'checkMembers' }>;

/** The members that an edit converts to the type `to`, with their places. */
function convertedOf({ table, column, edit }: Extract<Step, { kind: 'editItems' }>, to: 'date' | 'number') {
  const root = { column, list: edit.list, inside: [] };
  const members = convertedTo(to, edit, (component) => (component === undefined ? root : { ...root, component }));
  return [...members].map((one) => ({ table, ...one }));
}

/** The names of component members that were integers in every component with a number of that name. */
function wholeNumbers(steps: readonly Step[]): ReadonlySet<string> {
  const members = steps.flatMap((step) => (step.kind === 'defineComponent' ? (step.from?.members ?? []) : []));
  const named = (type: ColumnType): ReadonlySet<string> =>
    new Set(members.flatMap((one) => (one.kind === 'value' && one.type === type ? [one.name] : [])));
  const fractions = named('float');
  return new Set([...named('integer')].filter((name) => !fractions.has(name)));
}

function retypedChecks(steps: readonly Step[]): readonly CheckMembers[] {
  return steps.flatMap((step) => {
    if (step.kind !== 'defineComponent') return [];
    return (step.retyped ?? []).map(({ member, from, to, items }): CheckMembers => {
      const all = items.map((one) => ({ ...one, member }));
      return { kind: 'checkMembers', from: to, to: from, items: all, cause: `${step.to?.uid ?? ''}.${member}` };
    });
  });
}

/** The checks that must pass before undoing changes anything. */
function memberChecks(steps: readonly Step[], undo: readonly Step[]): readonly CheckMembers[] {
  const retyped = retypedChecks(steps);
  return retyped.length > 0 ? retyped : convertedChecks(steps, undo);
}

/** The same for plans without `retyped`, derived from the conversions of their edits. */
function convertedChecks(steps: readonly Step[], undo: readonly Step[]): readonly CheckMembers[] {
  const edits = undo.flatMap((step) => (step.kind === 'editItems' ? [step] : []));
  const whole = wholeNumbers(steps);
  const numbers = edits.flatMap((edit) => convertedOf(edit, 'number'));
  const all = [
    ['date', 'dates', edits.flatMap((edit) => convertedOf(edit, 'date'))],
    ['integer', 'numbers', numbers.filter(({ becomes }) => whole.has(becomes))],
    ['float', 'numbers', numbers.filter(({ becomes }) => !whole.has(becomes))],
  ] as const;
  return all.flatMap(([to, what, found]): readonly CheckMembers[] => {
    const items = found.map(({ table, place, member }) => ({ table, place, member }));
    const from = to === 'date' ? 'datetime' : 'text';
    return items.length === 0 ? [] : [{ kind: 'checkMembers', from, to, items, cause: `${what} inside components` }];
  });
}

function invertComponent(change: Extract<Change, { kind: 'defineComponent' }>): Step {
  const { from, to, retyped: _, ...rest } = change;
  return { ...rest, ...(to ? { from: to } : {}), ...(from ? { to: from } : {}) };
}

/** Undoing makes the column NOT NULL again: rows without a value get a placeholder. */
function fillLoosened(
  { table, from, to }: Extract<Change, { kind: 'alterColumn' }>,
  cause: { readonly cause?: string },
): readonly Step[] {
  if (from.nullable || !to.nullable || from.default !== undefined || isRequiredKey(from)) return [];
  const { default: _, ...column } = to;
  return [{ kind: 'fillEmpty', table, column, ...cause }];
}

/** The steps that undo a step, in execution order. */
export function invert(step: Step): readonly Step[] {
  const cause = step.cause === undefined ? {} : { cause: step.cause };
  switch (step.kind) {
    case 'createTable':
      return [{ ...step, kind: 'dropTable' }];
    case 'dropTable':
      return [
        { kind: 'lost', what: `the rows of ${step.table.name}`, ...cause },
        { ...step, kind: 'createTable' },
      ];
    case 'alterColumn': {
      const { foreignKey } = step;
      return [
        ...fillLoosened(step, cause),
        { ...swapped(step), ...(foreignKey && { foreignKey: swapped(foreignKey) }) },
      ];
    }
    case 'renameTable':
    case 'relabelTable':
    case 'renameColumn':
    case 'relabelColumn':
    case 'copyRelation':
    case 'renameType':
    case 'setLocales':
      return [swapped(step)];
    case 'renameRecords':
      return [{ ...step, types: step.types.map(swapped).toReversed(), tables: step.tables.map(swapped).toReversed() }];
    case 'addColumn': {
      const { table, column, foreignKey } = step;
      const drop: Step = { kind: 'dropColumn', table, column, ...(foreignKey ? { foreignKey } : {}), ...cause };
      if (column.role !== 'rule') return [drop];
      // Without its rule, a permission would reach everything.
      return [{ kind: 'deleteRows', table, rows: { of: 'ruled', column: column.name }, ...cause }, drop];
    }
    case 'dropColumn': {
      // Without drafts, all entries are public, and remain so.
      const isPublication = step.column.role === 'publishedAt';
      return [{ ...step, kind: 'restoreColumn', ...(isPublication ? { fillFrom: COLUMN_NAMES.createdAt } : {}) }];
    }
    case 'restoreColumn': {
      const { fillFrom: _, ...rest } = step;
      return [{ ...rest, kind: 'dropColumn' }];
    }
    case 'createIndex':
      return [{ ...step, kind: 'dropIndex' }];
    case 'dropIndex':
      return [{ ...step, kind: 'createIndex' }];
    case 'renameIndex':
      return [{ ...step, from: step.index.name, index: { ...step.index, name: step.from } }];
    case 'renameForeignKey':
      return [{ ...step, from: step.foreignKey.name, foreignKey: { ...step.foreignKey, name: step.from } }];
    case 'deleteRows':
      return [{ kind: 'lost', what: `rows of ${step.table}`, ...cause }];
    case 'shareValues':
      return [{ kind: 'lost', what: `values of ${step.table}.${step.column} in other locales`, ...cause }];
    case 'shareItemLinks':
      return [];
    case 'editItems': {
      const lost: Step = { kind: 'lost', what: `parts of ${step.table}.${step.column}`, ...cause };
      const edit = invertItems(step.edit);
      return [
        ...(losesItems(step.edit) || mergesValues(step.edit) ? [lost] : []),
        ...(changesItems(edit) ? [{ ...step, edit }] : []),
      ];
    }
    case 'renameItemLinks':
      return [{ ...step, renames: step.renames.map(swapped) }];
    case 'fillEmpty':
      // Filled values stay, except those of a column that replaces another.
      return step.from ? [{ ...step, column: step.from, from: step.column }] : [];
    case 'checkValues':
    case 'checkItems':
    case 'checkRequired':
    case 'checkMembers':
    case 'checkRows':
      return [];
    case 'mapValues': {
      const lost: Step = { kind: 'lost', what: `former values of ${step.table}.${step.column}`, ...cause };
      const isWhole = step.undo.length === step.values.length;
      const back: Step = { ...step, values: step.undo, undo: step.values };
      return [...(isWhole ? [] : [lost]), ...(step.undo.length > 0 ? [back] : [])];
    }
    case 'createSyncTriggers':
      return [{ ...step, kind: 'dropSyncTriggers' }];
    case 'dropSyncTriggers':
      return [{ ...step, kind: 'createSyncTriggers' }];
    // Renumbering keeps the order, and the first rows are references like any other.
    case 'numberLists':
    case 'nameEntries':
    case 'claimValues':
    case 'copyRows':
    case 'copyColumn':
      return [];
    case 'defineComponent':
      return [invertComponent(step)];
    case 'addForeignKey':
      return [{ ...step, kind: 'dropForeignKey' }];
    case 'dropForeignKey':
      return [{ ...step, kind: 'addForeignKey' }];
    case 'addUnchecked':
    case 'validate':
    case 'setNotNull':
    case 'fillRanges':
    case 'fillRest':
    case 'lost':
      return [];
  }
}

/** Published versions are dropped, so what is published must be what the drafts are. */
function pendingChecks(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if (step.kind !== 'copyRows' || !step.published) return [];
    const { table: versions, from: table, cause } = step;
    return [
      {
        kind: 'checkRows',
        table,
        columns: [],
        rows: { of: 'pending', versions },
        ...(cause !== undefined && { cause }),
      },
    ];
  });
}

/** The steps that undo a migration. Checks come first: an engine that commits each statement must not stop halfway. */
export function undoSteps(steps: readonly Step[]): readonly Step[] {
  const undo = steps.toReversed().flatMap(invert);
  return [...memberChecks(steps, undo), ...pendingChecks(steps), ...undo];
}

/** Removes the foreign keys to some other tables from a table; returns them as separate steps. */
function withoutReferences(
  table: Table,
  others: ReadonlySet<string>,
  kind: 'addForeignKey' | 'dropForeignKey',
): readonly [Table, readonly Step[]] {
  const isOther = (key: ForeignKey): boolean => key.references !== table.name && others.has(key.references);
  return [
    { ...table, foreignKeys: table.foreignKeys.filter((key) => !isOther(key)) },
    table.foreignKeys
      .filter(isOther)
      .map((foreignKey) => ({ kind, table: table.name, foreignKey, cause: originOf(table) })),
  ];
}

/** The index at which the foreign key of a dropped column is dropped: before the indexes of the column, which the key needs. */
function placeOfDrop(steps: readonly Step[], table: string, column: string): number {
  const first = steps.findIndex(
    (step) => step.kind === 'dropIndex' && step.table === table && step.index.columns.includes(column),
  );
  return first === -1 ? steps.length : first;
}

/** A change of a column and of its foreign key in parts: before, the column itself, and after. */
function splitAlteration(
  change: Extract<Change, { kind: 'alterColumn' }>,
): readonly [readonly Step[], readonly Step[], readonly Step[]] {
  const { foreignKey, whole: _, ...column } = change;
  const { table, from, to, cause = '' } = change;
  const alter = isDeepStrictEqual(from, to) ? [] : [column];
  if (!foreignKey || foreignKey.from.onDelete === foreignKey.to.onDelete) return [[], alter, []];
  const about = { table, cause };
  return [
    [{ ...about, kind: 'dropForeignKey', foreignKey: foreignKey.from }],
    alter,
    [{ ...about, kind: 'addForeignKey', foreignKey: foreignKey.to }],
  ];
}

/**
 * For engines that require the target table and an index when a foreign key is declared: foreign keys of new columns, and those to
 * tables that are created later, are added at the end; those of dropped columns and tables are dropped first.
 */
export function splitForeignKeys(changes: readonly Change[]): readonly Step[] {
  const later = new Set(changes.flatMap((change) => (change.kind === 'createTable' ? [change.table.name] : [])));
  const steps: Step[] = [];
  const postponed: Step[] = [];
  for (const change of changes) {
    if (change.kind === 'createTable') {
      later.delete(change.table.name);
      const [table, references] = withoutReferences(change.table, later, 'addForeignKey');
      steps.push({ ...change, table });
      postponed.push(...references);
    } else if (change.kind === 'addColumn' && change.foreignKey) {
      const { foreignKey, cause = '', ...column } = change;
      steps.push({ ...column, cause });
      postponed.push({ kind: 'addForeignKey', table: change.table, foreignKey, cause });
    } else if (change.kind === 'dropColumn' && change.foreignKey) {
      const { foreignKey, cause = '', ...column } = change;
      const place = placeOfDrop(steps, change.table, change.column.name);
      steps.splice(place, 0, { kind: 'dropForeignKey', table: change.table, foreignKey, cause });
      steps.push({ ...column, cause });
    } else if (change.kind === 'alterColumn') {
      const [drop, alter, add] = splitAlteration(change);
      steps.push(...drop, ...alter);
      postponed.push(...add);
    } else {
      steps.push(change);
    }
  }
  return [...separateDrops(steps), ...postponed];
}

/** Drops the foreign keys between dropped tables before the tables. */
function separateDrops(steps: readonly Step[]): readonly Step[] {
  const gone = new Set<string>();
  const separated: Step[] = [];
  const first = steps.findIndex(({ kind }) => kind === 'dropTable');
  const references: Step[] = [];
  for (const step of steps) {
    if (step.kind !== 'dropTable') {
      separated.push(step);
      continue;
    }
    // A foreign key to a table prevents it from being dropped.
    const [table, own] = withoutReferences(step.table, gone, 'dropForeignKey');
    separated.push({ ...step, table });
    references.push(...own);
    gone.add(step.table.name);
  }
  return [...separated.slice(0, Math.max(first, 0)), ...references, ...separated.slice(Math.max(first, 0))];
}
