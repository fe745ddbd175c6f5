/** Reports the locks and costs of a migration while it runs, and what it breaks for servers of the previous version. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Dialect } from '../../model/content-model.ts';
import { ENGINE_NAMES } from '../../storage/engine-names.ts';
import type { Change, MigrationPlan } from '../history/change.ts';
import { isFilled } from './batched.ts';
import { sectionsOf } from './postgres-sections.ts';
import { DEFAULT_LOCKS } from './postgres-transactions.ts';
import { splitForeignKeys, type Step } from './step.ts';

/** The parts of a report: what is blocked, and what breaks for old servers. */
interface Notes {
  readonly locks: Set<string>;
  readonly breaks: Set<string>;
}

type Alter = Extract<Change, { kind: 'alterColumn' }>;

/** For steps that run in batches. */
const BATCHES = 'a few thousand at a time; others write in between';

/** Type changes without a table rewrite in PostgreSQL. */
const SAME_IN_POSTGRES = new Set(['string text']);

/** The context for the notes on a migration. */
interface Scope {
  readonly dialect: Dialect;
  /** Tables that it creates. */
  readonly fresh: ReadonlySet<string>;
  /** Steps that run outside of transactions. */
  readonly apart: ReadonlySet<Step>;
}

/** Whether a constraint on a column is validated outside of a transaction, while writes go on. */
function isValidated(apart: ReadonlySet<Step>, table: string, column: string): boolean {
  return [...apart].some((step) => {
    if (step.kind !== 'validate' || step.table !== table) return false;
    const { constraint } = step;
    return column === (constraint.kind === 'foreignKey' ? constraint.foreignKey.column : constraint.column.name);
  });
}

function alterNote({ table, from, to }: Alter, { dialect, apart }: Scope): string {
  switch (dialect) {
    case 'sqlite':
      return `writes every row of "${table}" twice`;
    case 'mysql':
      if (from.type === to.type && from.nullable === to.nullable) return `locks "${table}" for a moment`;
      return `copies the table "${table}"; writes to it wait`;
    case 'postgres': {
      const isRewritten = from.type !== to.type && !SAME_IN_POSTGRES.has(`${from.type} ${to.type}`);
      if (isRewritten) return `rewrites the table "${table}"; nobody reads or writes it meanwhile`;
      if (isValidated(apart, table, to.name)) {
        const fills =
          to.default === undefined
            ? ''
            : `writes the rows of "${table}" that have nothing in "${to.name}", a few thousand at a time; `;
        return `${fills}reads every row of "${table}"; reads and writes go on`;
      }
      if (from.nullable && !to.nullable) return `reads every row of "${table}"; nobody reads or writes it meanwhile`;
      return `locks "${table}" for a moment`;
    }
  }
}

function dropNote(table: string, dialect: Dialect): string {
  return dialect === 'postgres' ? `locks "${table}" for a moment` : `writes every row of "${table}" anew`;
}

function howFilled(change: Change, dialect: Dialect): string {
  return isFilled(change, dialect) ? `, ${BATCHES}` : '';
}

function addLocks(change: Change, { dialect, fresh, apart }: Scope, locks: Set<string>): void {
  const note = (table: string, text: string): void => {
    if (!fresh.has(table)) locks.add(text);
  };
  switch (change.kind) {
    case 'alterColumn':
      return note(change.table, alterNote(change, { dialect, fresh, apart }));
    case 'createIndex':
      if (change.index.search && dialect !== 'sqlite') {
        return note(change.table, `writes every row of "${change.table}" anew, with its words; writes to it wait`);
      }
      if (change.index.member && dialect === 'mysql') {
        return note(
          change.table,
          `writes every row of "${change.table}" anew, with what is indexed; writes to it wait`,
        );
      }
      return note(
        change.table,
        `reads every row of "${change.table}" for an index; ${apart.has(change) ? 'reads and writes go on' : 'writes to it wait'}`,
      );
    case 'addColumn':
      if (change.fillWith !== undefined && !change.column.nullable && dialect !== 'sqlite') {
        note(change.table, `locks "${change.table}" for a moment`);
      } else if ([change.fillFrom, change.fillDocument, change.fillWith].some((given) => given !== undefined)) {
        note(change.table, `writes every row of "${change.table}"${howFilled(change, dialect)}`);
      }
      if (change.foreignKey) {
        const goesOn = isValidated(apart, change.table, change.foreignKey.column);
        note(
          change.table,
          `checks every row of "${change.table}" for a key; ${goesOn ? 'reads and writes go on' : 'writes to it wait'}`,
        );
      }
      return;
    case 'dropColumn':
      return note(change.table, dropNote(change.table, dialect));
    case 'renameIndex':
      if (dialect === 'sqlite') note(change.table, `makes the index ${change.index.name} of "${change.table}" anew`);
      return;
    case 'renameForeignKey':
      if (dialect === 'mysql') note(change.table, `checks every row of "${change.table}" for a key; writes to it wait`);
      return;
    case 'checkItems':
      for (const { table } of change.items) note(table, `reads every row of "${table}"`);
      return;
    case 'checkValues':
      return note(change.table, `reads every row of "${change.table}"`);
    case 'mapValues':
      return note(
        change.table,
        `writes the rows of "${change.table}" whose value of "${change.column}" is gone${howFilled(change, dialect)}`,
      );
    case 'fillEmpty':
      return note(
        change.table,
        `writes the rows of "${change.table}" that have nothing in "${change.column.name}"${howFilled(change, dialect)}`,
      );
    case 'editItems':
      return note(change.table, `writes every row of "${change.table}" with a value in "${change.column}"`);
    case 'deleteRows':
      return note(change.table, `deletes rows of "${change.table}"`);
    case 'renameItemLinks':
      return note(change.table, `reads every row of "${change.owner}", and writes rows of "${change.table}"`);
    case 'copyRelation':
      return note(change.from.table, `copies the links in "${change.from.table}" to "${change.to.table}"`);
    default:
  }
}

function addBreaks(change: Change, breaks: Set<string>): void {
  switch (change.kind) {
    case 'renameTable':
      breaks.add(`it knows "${change.to}" as "${change.from}", and fails on it`);
      return;
    case 'renameColumn':
      breaks.add(`it knows "${change.table}"."${change.to}" as "${change.from}", and fails on it`);
      return;
    case 'dropTable':
      breaks.add(`it fails on "${change.table.name}", which is gone`);
      return;
    case 'dropColumn':
      breaks.add(`it fails on "${change.table}"."${change.column.name}", which is gone`);
      return;
    case 'addColumn':
      if (!change.column.nullable && change.column.default === undefined) {
        breaks.add(`it can't add rows to "${change.table}", as it leaves "${change.column.name}" empty`);
      }
      return;
    case 'alterColumn':
      if (change.from.nullable && !change.to.nullable) {
        breaks.add(`it can't leave "${change.table}"."${change.to.name}" empty`);
      }
      if (change.from.type !== change.to.type) {
        breaks.add(`it takes "${change.table}"."${change.to.name}" for another type`);
      }
      return;
    case 'createIndex':
      if (change.index.unique) {
        breaks.add(`it answers 500 where it writes a value of "${change.table}" twice that is unique now`);
      }
      return;
    case 'checkValues':
    case 'mapValues':
      breaks.add(`it may write values of "${change.table}"."${change.column}" that are gone`);
      return;
    case 'checkItems':
      for (const { table, place } of change.items) {
        breaks.add(`it may write values into the components in "${table}"."${place.column}" that are gone`);
      }
      return;
    case 'editItems':
      breaks.add(`it reads the components in "${change.table}"."${change.column}" by their former names and shapes`);
      return;
    default:
  }
}

function apartOf(changes: readonly Change[], dialect: Dialect): ReadonlySet<Step> {
  if (dialect !== 'postgres') return new Set();
  const sections = sectionsOf(splitForeignKeys(changes));
  return new Set(sections.flatMap(({ kind, steps }) => (kind === 'each' ? steps : [])));
}

function notesOf({ changes, part }: MigrationPlan, dialect: Dialect): Notes {
  const notes: Notes = { locks: new Set(), breaks: new Set() };
  const fresh = new Set(changes.flatMap((change) => (change.kind === 'createTable' ? [change.table.name] : [])));
  const scope = { dialect, fresh, apart: apartOf(changes, dialect) };
  for (const change of changes) {
    addLocks(change, scope, notes.locks);
    if (part === 'expand') continue;
    if (!('table' in change && typeof change.table === 'string' && fresh.has(change.table))) {
      addBreaks(change, notes.breaks);
    }
  }
  return notes;
}

/** The number of locks from which on they are reported. */
const MANY_LOCKS = 500;

/** Notes on the number of PostgreSQL locks, if there are many. */
function lockCountNotes({ changes }: MigrationPlan, dialect: Dialect): readonly string[] {
  if (dialect !== 'postgres') return [];
  const transactions = sectionsOf(splitForeignKeys(changes)).filter(({ kind }) => kind === 'transaction');
  const locks = Math.max(0, ...transactions.map((one) => one.locks));
  if (locks < MANY_LOCKS) return [];
  const memory = `A server has memory for ${DEFAULT_LOCKS} by default, for all databases together (max_locks_per_transaction × max_connections).`;
  if (transactions.length === 1) return [`It takes about ${locks} locks. ${memory}`];
  return [
    `Runs as ${transactions.length} transactions of at most ${locks} locks each: a start that is interrupted goes on with the next one.`,
    memory,
  ];
}

function transactionNote({ changes }: MigrationPlan, dialect: Dialect): string {
  switch (dialect) {
    case 'sqlite':
      return changes.some((change) => isFilled(change, dialect))
        ? 'Runs as one transaction where tables are small, otherwise in parts: what a part has done stays done if a later one fails. Readers go on, all other writes wait for a part.'
        : 'Runs as one transaction: readers go on, all other writes wait for it.';
    case 'postgres': {
      const sections = sectionsOf(splitForeignKeys(changes));
      if (sections.every(({ kind }) => kind === 'transaction')) {
        return 'Runs as one transaction: what it locks stays locked until all of it is done.';
      }
      if (sections.every(({ locks }) => locks === 0)) {
        return 'Each statement is by itself: what is done stays done if a later one fails.';
      }
      return 'Runs in parts: transactions, and statements of which each is by itself. What a part has done stays done if a later one fails.';
    }
    case 'mysql':
      return 'Each statement commits by itself: what is done stays done if a later one fails.';
  }
}

/** Human-readable lines: locks, table rewrites and long reads, and what breaks for servers of the previous version. */
export function safetyNotes(plan: MigrationPlan, dialect: Dialect): readonly string[] {
  const { locks, breaks } = notesOf(plan, dialect);
  const counts = lockCountNotes(plan, dialect);
  if (locks.size === 0 && breaks.size === 0) return counts;
  const isSplit = counts.length > 1;
  return [
    ...(isSplit ? [] : [transactionNote(plan, dialect)]),
    ...counts,
    ...[...locks].map((note) => `- ${note}`),
    ...(breaks.size > 0 ? ['A server of the version before, while it still runs:'] : []),
    ...[...breaks].map((note) => `- ${note}`),
  ];
}

/** The notes on a new migration, one diagnostic per database. */
export function safetyReport(plan: MigrationPlan, databases: readonly Dialect[]): readonly Diagnostic[] {
  return databases.flatMap((dialect): readonly Diagnostic[] => {
    const notes = safetyNotes(plan, dialect);
    if (notes.length === 0) return [];
    const message = `what ${plan.name} does on ${ENGINE_NAMES[dialect]} while it runs`;
    return [{ code: 'migrations/safety', severity: 'info', message, hint: notes.join('\n') }];
  });
}
