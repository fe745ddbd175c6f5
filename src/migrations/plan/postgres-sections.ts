/**
 * What PostgreSQL does outside of the transactions of a migration: building an index on a table that is there reads every row of it,
 * and within a transaction all writes would wait for that.
 */
import type { Change } from '../history/change.ts';
import { transactionsOf } from './postgres-transactions.ts';
import type { Step } from './step.ts';

type ChangeOfIndex = Extract<Change, { kind: 'createIndex' | 'dropIndex' }>;

/** Steps of one transaction, or such of which each is by itself. */
export interface Section {
  readonly kind: 'transaction' | 'each';
  readonly steps: readonly Step[];
  /** How many locks its transaction takes about. */
  readonly locks: number;
}

/** Whether an index that is made or dropped before a step can as well be made or dropped after it. */
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

/** Whether an index is built by itself. One for searches is not: the column that it needs is added under a lock anyway. */
function isBuiltApart(step: Step, later: readonly Step[], fresh: ReadonlySet<string>): boolean {
  if (step.kind !== 'createIndex' || step.index.search || fresh.has(step.table)) return false;
  return later.every((other) => mayWaitFor(step, other));
}

/** Whether an index stays until others of its table have been built, which may take its place. */
function staysUntilBuilt(step: Step, later: readonly Step[], built: readonly Step[]): boolean {
  // A unique one may be in the way of what comes next.
  if (step.kind !== 'dropIndex' || step.index.search || step.index.unique) return false;
  const { table, index } = step;
  const isAltered = later.some(
    (other) => other.kind === 'alterColumn' && other.table === table && index.columns.includes(other.to.name),
  );
  if (isAltered) return false;
  const hasBuilt = built.some((other) => other.kind === 'createIndex' && other.table === table);
  return hasBuilt && later.every((other) => mayWaitFor(step, other));
}

/**
 * Steps in the order in which PostgreSQL makes them: indexes on tables that are there come after the transactions, and those that were
 * dropped after them go at the end.
 */
export function sectionsOf(steps: readonly Step[], maxLocks?: number): readonly Section[] {
  const fresh = new Set(steps.flatMap((step) => (step.kind === 'createTable' ? [step.table.name] : [])));
  const [first, apart, last]: [Step[], Step[], Step[]] = [[], [], []];
  for (const [place, step] of steps.entries()) {
    const later = steps.slice(place + 1);
    if (isBuiltApart(step, later, fresh)) apart.push(step);
    else if (staysUntilBuilt(step, later, apart)) last.push(step);
    else first.push(step);
  }
  return [
    ...inTransactions(first, maxLocks),
    ...(apart.length > 0 ? [{ kind: 'each', steps: apart, locks: 0 } as const] : []),
    ...inTransactions(last, maxLocks),
  ];
}

function inTransactions(steps: readonly Step[], maxLocks: number | undefined): readonly Section[] {
  if (steps.length === 0) return [];
  return transactionsOf(steps, maxLocks).map((one) => ({ kind: 'transaction', ...one }));
}
