/**
 * Which changes are made together on PostgreSQL. A transaction holds a lock for each table, index and sequence that it touches
 * until it ends, in a memory that all databases of a server share: by default for 6,400 locks. What would take many is made in
 * several transactions, one after the other; a process that is killed between two of them is resumed by the next one.
 */
import type { ForeignKey, Table } from '../../storage/storage-model.ts';
import { hasGeneratedId } from '../../storage/table-origin.ts';
import type { Step } from './step.ts';

/** How many locks a transaction takes at most: few enough for several that run at once, and for the servers beside them. */
export const MAX_LOCKS = 1000;

/** What PostgreSQL has by default: `max_locks_per_transaction` × `max_connections`. */
export const DEFAULT_LOCKS = 6400;

/** The locks of a table that is there: itself, what PostgreSQL keeps long values in, and its indexes, which a step does not name. */
const TABLE_LOCKS = 12;

/** Of a table that comes or goes: itself, its primary key, the table and index of its long values, its types, its constraints. */
const NEW_TABLE_LOCKS = 8;

/** Of a key to another table: itself, and the four triggers that PostgreSQL has for each. */
const KEY_LOCKS = 5;

/** Steps that run in one transaction, and how many locks it takes about, rather too many than too few. */
export interface Transaction {
  readonly steps: readonly Step[];
  readonly locks: number;
}

function locksOfTable(table: Table): number {
  const sequence = hasGeneratedId(table) ? 1 : 0;
  return NEW_TABLE_LOCKS + sequence + table.indexes.length;
}

/** What goes with a table is locked too: the defaults of its columns, its keys, and the triggers that watch over these. */
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

/** The tables that a step locks, with how many locks each is. */
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
    case 'settle': {
      const { constraint } = step;
      if (constraint.kind === 'required') return existing(step.table);
      const { foreignKey } = constraint;
      return [...existing(step.table), ...referenced([foreignKey]), [foreignKey.name, KEY_LOCKS]];
    }
    case 'renameTable':
      return existing(step.from);
    case 'checkItems':
    case 'checkMembers':
      return existing(...step.items.map(({ table }) => table));
    case 'copyRelation':
      return existing(step.from.table, step.to.table);
    case 'renameItemLinks':
      return existing(step.table, step.owner);
    case 'renameType':
      return existing(...step.permissions, ...(step.single === undefined ? [] : [step.single]));
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
    case 'keepInStep':
    case 'letApart':
      return existing(step.table);
    case 'fillRanges':
    case 'fillRest':
      return existing(step.of.table);
    case 'describeTable':
    case 'describeColumn':
    case 'defineComponent':
    case 'setLocales':
    case 'lost':
      return [];
  }
}

/** Steps in their order, as few transactions as stay below so many locks. Most migrations are one. */
export function transactionsOf(steps: readonly Step[], maxLocks = MAX_LOCKS): readonly Transaction[] {
  const transactions: Transaction[] = [];
  let own: Step[] = [];
  let locked = new Map<string, number>();
  let locks = 0;
  for (const step of steps) {
    const tables = lockedBy(step);
    const more = new Map<string, number>();
    for (const [table, count] of tables) more.set(table, Math.max(count, more.get(table) ?? 0));
    // A table that is locked already may be locked with more of what belongs to it.
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
