/**
 * Divides steps into PostgreSQL transactions. A transaction holds a lock on each table, index and sequence that it touches until it
 * ends. The lock table is shared by all databases of a server, with room for 6,400 locks by default. Steps that need many locks
 * run in several transactions; if the process is killed between two of them, the next one resumes.
 */
import type { ForeignKey, Table } from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import type { Step } from './step.ts';

/** The maximum number of locks per transaction: low enough to run beside other migrations and servers. */
export const MAX_LOCKS = 1000;

/** The default size of PostgreSQL's lock table: `max_locks_per_transaction` × `max_connections`. */
export const DEFAULT_LOCKS = 6400;

/** Estimated locks of an existing table: itself, its TOAST table, and its indexes, which a step does not list. */
const TABLE_LOCKS = 12;

/** Locks of a created or dropped table: itself, its primary key, its TOAST table and index, its types, its constraints. */
const NEW_TABLE_LOCKS = 8;

/** Locks of a foreign key: itself, and the four triggers that enforce it. */
const KEY_LOCKS = 5;

/** Steps that run in one transaction, and a high estimate of its locks. */
export interface Transaction {
  readonly steps: readonly Step[];
  readonly locks: number;
}

function locksOfTable(table: Table): number {
  const sequence = hasGeneratedId(table) ? 1 : 0;
  return NEW_TABLE_LOCKS + sequence + table.indexes.length;
}

/** Dropping a table also locks its dependent objects: column defaults, foreign keys and their triggers. */
function locksOfDrop(table: Table): number {
  const defaults = table.columns.filter((column) => column.default !== undefined).length;
  return 2 * locksOfTable(table) + defaults + KEY_LOCKS * table.foreignKeys.length;
}

function existing(...names: readonly string[]): readonly (readonly [string, number])[] {
  return names.map((name) => [name, TABLE_LOCKS]);
}

function referenced(keys: readonly ForeignKey[]): readonly (readonly [string, number])[] {
  return existing(...keys.map(({ references }) => references));
}

/** The tables and keys that a step locks, with the number of locks of each. */
function lockedBy(step: Step): readonly (readonly [table: string, locks: number])[] {
  switch (step.kind) {
    case 'createTable':
      return [[step.table.name, locksOfTable(step.table)], ...referenced(step.table.foreignKeys)];
    case 'dropTable':
      return [[step.table.name, locksOfDrop(step.table)], ...referenced(step.table.foreignKeys)];
    case 'addForeignKey':
    case 'dropForeignKey':
      return [...existing(step.table), ...referenced([step.foreignKey]), [step.foreignKey.name, KEY_LOCKS]];
    case 'addUnchecked':
    case 'validate':
    case 'setNotNull': {
      const { constraint } = step;
      if (constraint.kind === 'required') return existing(step.table);
      const { foreignKey } = constraint;
      return [...existing(step.table), ...referenced([foreignKey]), [foreignKey.name, KEY_LOCKS]];
    }
    case 'renameTable':
      return existing(step.from);
    case 'checkItems':
    case 'checkRequired':
    case 'checkMembers':
      return existing(...step.items.map(({ table }) => table));
    case 'copyRelation':
      return existing(step.from.table, step.to.table);
    case 'shareValues':
    case 'shareItemLinks':
      return existing(step.table, step.type);
    case 'nameEntries':
      return existing(step.table, step.target);
    case 'renameItemLinks':
      return existing(step.table, step.owner);
    case 'renameRecords':
      return existing(...step.records);
    case 'renameType':
      return existing(...step.permissions, ...(step.single === undefined ? [] : [step.single]));
    case 'copyRows':
    case 'copyColumn':
      return [...existing(step.table), ...existing(step.from)];
    case 'addColumn':
    case 'restoreColumn':
    case 'dropColumn':
      return [...existing(step.table), ...referenced(step.foreignKey ? [step.foreignKey] : [])];
    case 'createIndex':
      return [...existing(step.table), [step.index.name, 1]];
    case 'renameColumn':
    case 'alterColumn':
    case 'dropIndex':
    case 'renameIndex':
    case 'renameForeignKey':
    case 'deleteRows':
    case 'editItems':
    case 'fillEmpty':
    case 'checkValues':
    case 'checkRows':
    case 'mapValues':
    case 'createSyncTriggers':
    case 'dropSyncTriggers':
    case 'numberLists':
    case 'claimValues':
      return existing(step.table);
    case 'fillRanges':
    case 'fillRest':
      return existing(step.of.table);
    case 'relabelTable':
    case 'relabelColumn':
    case 'defineComponent':
    case 'setLocales':
    case 'lost':
      return [];
  }
}

/** Divides steps, in order, into as few transactions as the lock limit allows. Most migrations need one. */
export function transactionsOf(steps: readonly Step[], maxLocks = MAX_LOCKS): readonly Transaction[] {
  const transactions: Transaction[] = [];
  let own: Step[] = [];
  let locked = new Map<string, number>();
  let locks = 0;
  for (const step of steps) {
    const tables = lockedBy(step);
    const more = new Map<string, number>();
    for (const [table, count] of tables) more.set(table, Math.max(count, more.get(table) ?? 0));
    // A later step may lock more objects of a table that is already locked.
    const added = (): number =>
      [...more].reduce((sum, [table, count]) => sum + Math.max(0, count - (locked.get(table) ?? 0)), 0);
    if (own.length > 0 && locks + added() > maxLocks) {
      transactions.push({ steps: own, locks });
      [own, locked, locks] = [[], new Map(), 0];
    }
    locks += added();
    for (const [table, count] of more) locked.set(table, Math.max(count, locked.get(table) ?? 0));
    own.push(step);
  }
  return [...transactions, { steps: own, locks }];
}
