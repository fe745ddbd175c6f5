/**
 * Divides steps into what PostgreSQL runs inside and outside of transactions. Creating an index or a constraint on an existing table reads
 * all of its rows; within a transaction, writes would be blocked meanwhile.
 */
import type { Change } from '#contract/migrations/change.ts';
import { isComputed } from '#contract/stored-table.ts';
import { type Filling, inParts, isFilled, restOf, withoutFill } from './batched.ts';
import { transactionsOf } from './postgres-transactions.ts';
import type { FillStep, Step } from './step.ts';

type ChangeOfIndex = Extract<Change, { kind: 'createIndex' | 'dropIndex' }>;

type AlterColumn = Extract<Change, { kind: 'alterColumn' }>;
type ChangeOfKey = Extract<Step, { kind: 'addForeignKey' | 'dropForeignKey' }>;

/** Steps that run in one transaction, individually without one, or in batches. */
export interface Section {
  readonly kind: 'transaction' | 'each' | 'batches';
  readonly steps: readonly Step[];
  /** The estimated number of locks of its transaction. */
  readonly locks: number;
}

/** Whether creating or dropping an index can be postponed until after a later step. */
function mayWaitFor({ table, index }: ChangeOfIndex, later: Step): boolean {
  switch (later.kind) {
    case 'renameTable':
      return later.from !== table && later.to !== table;
    case 'dropTable':
      return later.table.name !== table;
    case 'renameColumn':
      return later.table !== table || !(index.columns.includes(later.from) || index.columns.includes(later.to));
    case 'dropColumn':
      return later.table !== table || !index.columns.includes(later.column.name);
    case 'createIndex':
    case 'dropIndex':
      return later.index.name !== index.name;
    case 'renameIndex':
      return later.from !== index.name && later.index.name !== index.name;
    default:
      return true;
  }
}

/** Whether an index is built outside of a transaction. Search indexes are not: their column is added under a lock anyway. */
function isBuiltApart(step: Step, later: readonly Step[], fresh: ReadonlySet<string>): boolean {
  if (step.kind !== 'createIndex' || step.index.search || fresh.has(step.table)) return false;
  return later.every((other) => mayWaitFor(step, other));
}

/** Whether an index is dropped only after new indexes on its table, which may replace it, have been built. */
function staysUntilBuilt(step: Step, later: readonly Step[], built: readonly Step[]): boolean {
  // A unique index may reject values that later steps write.
  if (step.kind !== 'dropIndex' || isComputed(step.index) || step.index.unique) return false;
  const { table, index } = step;
  const isAltered = later.some(
    (other) => other.kind === 'alterColumn' && other.table === table && index.columns.includes(other.to.name),
  );
  if (isAltered) return false;
  const hasBuilt = built.some((other) => other.kind === 'createIndex' && other.table === table);
  return hasBuilt && later.every((other) => mayWaitFor(step, other));
}

/** Whether a step renames, drops or alters a table or one of its columns. */
function isMoved(table: string, column: string, step: Step): boolean {
  switch (step.kind) {
    case 'renameTable':
      return step.from === table;
    case 'dropTable':
      return step.table.name === table;
    case 'renameColumn':
      return step.table === table && step.from === column;
    case 'dropColumn':
      return step.table === table && step.column.name === column;
    case 'alterColumn':
      return step.table === table && step.to.name === column;
    case 'renameForeignKey':
    case 'dropForeignKey':
      return step.table === table && step.foreignKey.column === column;
    default:
      return false;
  }
}

/** The parts of a step: in its place in the order, outside of transactions, and at the end. */
interface Parts {
  readonly place: readonly (Step | Filling)[];
  readonly apart: readonly Step[];
  readonly last: readonly Step[];
}

/** Splits a foreign key on an existing table: its rows are validated later. */
function splitForeignKey(step: ChangeOfKey, before: readonly Step[]): Parts | undefined {
  const { table, foreignKey, cause } = step;
  // Copied values must be validated within the transaction, while it can still be rolled back.
  const isCopied = before.some(
    (other) =>
      other.kind === 'copyRelation' &&
      other.to.kind === 'column' &&
      other.to.table === table &&
      other.to.column === foreignKey.column,
  );
  if (isCopied) return undefined;
  const about = { table, ...(cause === undefined ? {} : { cause }) };
  const own = { ...about, constraint: { kind: 'foreignKey', foreignKey } } as const;
  return { place: [{ ...own, kind: 'addUnchecked' }], apart: [{ ...own, kind: 'validate' }], last: [] };
}

/** Splits a column that only becomes required: its rows are validated without a lock that blocks writes. */
function splitRequired(step: AlterColumn): Parts | undefined {
  const { table, from, to, cause } = step;
  if (!from.nullable || to.nullable || from.type !== to.type) return undefined;
  const about = { table, ...(cause === undefined ? {} : { cause }) };
  const own = { ...about, constraint: { kind: 'required', column: to } } as const;
  const check = { ...own, kind: 'addUnchecked' } as const;
  const loose = { ...step, to: { ...to, nullable: true } };
  const last: readonly Step[] = [{ ...own, kind: 'setNotNull' }];
  if (to.default === undefined) return { place: [check, loose], apart: [{ ...own, kind: 'validate' }], last };
  const fill = { ...about, kind: 'fillEmpty', column: to } as const;
  if (!isFilled(fill, 'postgres')) {
    return { place: [fill, check, loose], apart: [restOf(fill), { ...own, kind: 'validate' }], last };
  }
  return {
    place: [{ before: [loose], fills: [fill], after: [check] }],
    // Rows may have been added before the constraint existed.
    apart: [restOf(fill), { ...own, kind: 'validate' }],
    last,
  };
}

/** Splits a fill; `stays`: whether no later step changes the column before its constraint is validated. */
function splitFill(step: FillStep, stays: boolean): Parts {
  const adds = step.kind === 'addColumn' || step.kind === 'restoreColumn';
  if (!adds || step.column.nullable) {
    return { place: [{ before: withoutFill(step), fills: [step], after: [] }], apart: [], last: [] };
  }
  const { table, column, cause } = step;
  const loose = { ...column, nullable: true };
  const before = withoutFill({ ...step, column: loose });
  const about = { table, ...(cause === undefined ? {} : { cause }) };
  if (!stays) {
    const required = { ...about, kind: 'alterColumn', from: loose, to: column, indexes: [] } as const;
    return { place: [{ before, fills: [step], after: [restOf(step), required] }], apart: [], last: [] };
  }
  const own = { ...about, constraint: { kind: 'required', column } } as const;
  return {
    place: [{ before, fills: [step], after: [{ ...own, kind: 'addUnchecked' }] }],
    apart: [restOf(step), { ...own, kind: 'validate' }],
    last: [{ ...own, kind: 'setNotNull' }],
  };
}

/** The parts of a fill or a constraint on an existing table; undefined if the step isn't split. */
function partsOf(step: Step, place: number, steps: readonly Step[], fresh: ReadonlySet<string>): Parts | undefined {
  const stays = (table: string, column: string): boolean =>
    !fresh.has(table) && !steps.slice(place + 1).some((later) => isMoved(table, column, later));
  if (isFilled(step, 'postgres')) {
    const column = step.kind === 'mapValues' ? step.column : step.column.name;
    return splitFill(step, stays(step.table, column));
  }
  switch (step.kind) {
    case 'addForeignKey':
      return stays(step.table, step.foreignKey.column) ? splitForeignKey(step, steps.slice(0, place)) : undefined;
    case 'alterColumn':
      return stays(step.table, step.to.name) ? splitRequired(step) : undefined;
    default:
      return undefined;
  }
}

/**
 * Divides steps into sections, in execution order. Building indexes on existing tables and validating constraints come after the
 * transactions; steps that depend on these come last.
 */
export function sectionsOf(steps: readonly Step[], maxLocks?: number): readonly Section[] {
  const fresh = new Set(steps.flatMap((step) => (step.kind === 'createTable' ? [step.table.name] : [])));
  const first: (Step | Filling)[] = [];
  const [apart, last]: [Step[], Step[]] = [[], []];
  for (const [place, step] of steps.entries()) {
    const later = steps.slice(place + 1);
    const parts = partsOf(step, place, steps, fresh);
    if (parts) {
      first.push(...parts.place);
      apart.push(...parts.apart);
      last.push(...parts.last);
    } else if (isBuiltApart(step, later, fresh)) apart.push(step);
    else if (staysUntilBuilt(step, later, apart)) last.push(step);
    else first.push(step);
  }
  return [
    ...inParts(first).flatMap(({ kind, steps: own }): readonly Section[] =>
      kind === 'batches' ? [{ kind, steps: own, locks: 0 }] : inTransactions(own, maxLocks),
    ),
    ...(apart.length > 0 ? [{ kind: 'each', steps: apart, locks: 0 } as const] : []),
    ...inTransactions(last, maxLocks),
  ];
}

function inTransactions(steps: readonly Step[], maxLocks: number | undefined): readonly Section[] {
  if (steps.length === 0) return [];
  return transactionsOf(steps, maxLocks).map((one) => ({ kind: 'transaction', ...one }));
}
