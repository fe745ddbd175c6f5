/** Reports the locks and costs of a migration while it runs, and what it breaks for servers of the previous version. */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '#contract/migrations/change.ts';
import type { MigrationPlan } from '#contract/migrations/plan.ts';
import { isRequiredKey } from '#contract/migrations/planned-table.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Dialect } from '../../model/content-model.ts';
import type { ForeignKey } from '../../storage/storage-model.ts';
import { ENGINE_NAMES } from '../../storage/engine-names.ts';
import { isOnlyFills } from '../history/items-edit.ts';
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
const BATCHES = 'a few thousand at a time; other writes continue in between';

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

/** Whether the rule for deletions changes. */
function changesRule({ foreignKey }: Alter): boolean {
  return foreignKey !== undefined && foreignKey.from.onDelete !== foreignKey.to.onDelete;
}

function keyNote(table: string, column: string, apart: ReadonlySet<Step>): string {
  const goesOn = isValidated(apart, table, column);
  return `checks every row of "${table}" for a foreign key; ${goesOn ? 'reads and writes continue' : 'writes to it wait'}`;
}

function alterNote(change: Alter, { dialect, apart }: Scope): string {
  const { table, from, to } = change;
  switch (dialect) {
    case 'sqlite':
      if (isRequiredKey(to) && from.nullable && !changesRule(change)) return `reads every row of "${table}"`;
      return `writes every row of "${table}" twice`;
    case 'mysql':
      if (from.type === to.type && from.nullable === to.nullable) return `locks "${table}" briefly`;
      return `copies the table "${table}"; writes to it wait`;
    case 'postgres': {
      const isRewritten = from.type !== to.type && !SAME_IN_POSTGRES.has(`${from.type} ${to.type}`);
      if (isRewritten) return `rewrites the table "${table}", which blocks reads and writes`;
      if (isValidated(apart, table, to.name)) {
        const fills =
          to.default === undefined
            ? ''
            : `updates the rows of "${table}" without a value in "${to.name}", a few thousand at a time; `;
        return `${fills}reads every row of "${table}"; reads and writes continue`;
      }
      if (from.nullable && !to.nullable) return `reads every row of "${table}", which blocks reads and writes`;
      return `locks "${table}" briefly`;
    }
  }
}

function dropNote(table: string, dialect: Dialect): string {
  return dialect === 'postgres' ? `locks "${table}" briefly` : `rewrites every row of "${table}"`;
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
      if (dialect !== 'sqlite' && changesRule(change)) note(change.table, keyNote(change.table, change.to.name, apart));
      if (!isDeepStrictEqual(change.from, change.to) || dialect === 'sqlite') {
        note(change.table, alterNote(change, { dialect, fresh, apart }));
      }
      return;
    case 'createIndex':
      if (change.index.search && dialect !== 'sqlite') {
        return note(change.table, `rewrites every row of "${change.table}" for the search index; writes to it wait`);
      }
      if (change.index.member && dialect === 'mysql') {
        return note(change.table, `rewrites every row of "${change.table}" for an index; writes to it wait`);
      }
      return note(
        change.table,
        `reads every row of "${change.table}" for an index; ${apart.has(change) ? 'reads and writes continue' : 'writes to it wait'}`,
      );
    case 'addColumn':
      if (change.fillWith !== undefined && !change.column.nullable && dialect !== 'sqlite') {
        note(change.table, `locks "${change.table}" briefly`);
      } else if ([change.fillFrom, change.fillDocument, change.fillWith].some((given) => given !== undefined)) {
        note(change.table, `updates every row of "${change.table}"${howFilled(change, dialect)}`);
      }
      if (change.foreignKey) note(change.table, keyNote(change.table, change.foreignKey.column, apart));
      return;
    case 'dropColumn':
      return note(change.table, dropNote(change.table, dialect));
    case 'renameIndex':
      if (dialect === 'sqlite') note(change.table, `rebuilds the index ${change.index.name} of "${change.table}"`);
      return;
    case 'renameForeignKey':
      if (dialect === 'mysql') {
        note(change.table, `checks every row of "${change.table}" for a foreign key; writes to it wait`);
      }
      return;
    case 'checkItems':
    case 'checkRequired':
      for (const { table } of change.items) note(table, `reads every row of "${table}"`);
      return;
    case 'checkValues':
      return note(change.table, `reads every row of "${change.table}"`);
    case 'mapValues':
      return note(
        change.table,
        `updates the rows of "${change.table}" with a replaced value in "${change.column}"${howFilled(change, dialect)}`,
      );
    case 'fillEmpty':
      return note(
        change.table,
        `updates the rows of "${change.table}" without a value in "${change.column.name}"${howFilled(change, dialect)}`,
      );
    case 'editItems':
      return note(change.table, `updates every row of "${change.table}" with a value in "${change.column}"`);
    case 'deleteRows':
      return note(change.table, `deletes rows of "${change.table}"`);
    case 'numberLists':
      return note(
        change.table,
        `reads "${change.key}" and "${change.position}" of every row of "${change.table}", and updates the lists with equal positions`,
      );
    case 'shareValues':
    case 'shareItemLinks':
      return note(change.table, `reads every row of "${change.type}", and updates rows of "${change.table}"`);
    case 'nameEntries':
      return note(change.table, `reads every row of "${change.table}", and updates references to further locales`);
    case 'claimValues':
      return note(change.table, `reads every row of "${change.table}", and updates one per entry`);
    case 'renameItemLinks':
      return note(change.table, `reads every row of "${change.owner}", and updates rows of "${change.table}"`);
    case 'copyRows':
      return note(
        change.from,
        `copies ${change.published ? 'the published' : 'all'} rows of "${change.from}" to "${change.table}"`,
      );
    case 'copyColumn':
      return note(change.table, `updates every row of "${change.table}"`);
    case 'copyRelation':
      return note(change.from.table, `copies the links in "${change.from.table}" to "${change.to.table}"`);
    default:
  }
}

function ruleBreak(table: string, key: ForeignKey | undefined): string {
  switch (key?.onDelete) {
    case 'restrict':
      return `responds with 500 if it deletes a row of "${key.references}" to which "${table}" refers`;
    case 'cascade':
      return `deletes rows of "${table}" with those of "${key.references}", without rights and hooks`;
    default:
      return `still refuses to delete what "${table}" refers to`;
  }
}

function addBreaks(change: Change, breaks: Set<string>): void {
  switch (change.kind) {
    case 'renameTable':
      breaks.add(`fails on "${change.to}", which it expects to be named "${change.from}"`);
      return;
    case 'renameColumn':
      breaks.add(`fails on "${change.table}"."${change.to}", which it expects to be named "${change.from}"`);
      return;
    case 'dropTable':
      breaks.add(`fails on "${change.table.name}", which no longer exists`);
      return;
    case 'dropColumn':
      breaks.add(`fails on "${change.table}"."${change.column.name}", which no longer exists`);
      return;
    case 'addColumn':
      if (change.column.role === 'rule') {
        breaks.add('grants permissions without their rules: give rules to roles once it no longer runs');
      }
      if (!change.column.nullable && change.column.default === undefined) {
        breaks.add(`can't insert rows into "${change.table}", because it writes no "${change.column.name}"`);
      }
      return;
    case 'alterColumn':
      if (change.from.nullable && !change.to.nullable) {
        breaks.add(`can't write NULL to "${change.table}"."${change.to.name}"`);
      }
      if (change.from.type !== change.to.type) {
        breaks.add(`expects another type of "${change.table}"."${change.to.name}"`);
      }
      if (changesRule(change)) breaks.add(ruleBreak(change.table, change.foreignKey?.to));
      return;
    case 'createIndex':
      if (change.index.unique) {
        breaks.add(`responds with 500 if it writes a duplicate value to "${change.table}" that must now be unique`);
      }
      return;
    case 'copyRows':
      breaks.add(`writes to "${change.from}" alone, so what it changes is not seen by servers of the new version`);
      return;
    case 'checkValues':
    case 'mapValues':
      breaks.add(`may write former values to "${change.table}"."${change.column}"`);
      return;
    case 'checkItems':
      for (const { table, place } of change.items) {
        breaks.add(`may write former values to the components in "${table}"."${place.column}"`);
      }
      return;
    case 'checkRequired':
      for (const { table, place } of change.items) {
        breaks.add(`may write components without a required value to "${table}"."${place.column}"`);
      }
      return;
    case 'editItems':
      if (isOnlyFills(change.edit)) return;
      breaks.add(
        `expects the components in "${change.table}"."${change.column}" to have their former names and shapes`,
      );
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
  const memory = `By default, a PostgreSQL server has memory for ${DEFAULT_LOCKS} locks in all databases together (max_locks_per_transaction × max_connections).`;
  if (transactions.length === 1) return [`Takes about ${locks} locks. ${memory}`];
  return [
    `Runs as ${transactions.length} transactions of at most ${locks} locks each; an interrupted run continues with the next one.`,
    memory,
  ];
}

function transactionNote({ changes }: MigrationPlan, dialect: Dialect): string {
  switch (dialect) {
    case 'sqlite':
      return changes.some((change) => isFilled(change, dialect))
        ? 'Runs as one transaction if the tables are small, and otherwise in parts, which stay committed if a later one fails. Reads continue; all other writes wait for the current part.'
        : 'Runs as one transaction: reads continue; all other writes wait for it.';
    case 'postgres': {
      const sections = sectionsOf(splitForeignKeys(changes));
      if (sections.every(({ kind }) => kind === 'transaction')) {
        return 'Runs as one transaction, which holds its locks until the end.';
      }
      if (sections.every(({ locks }) => locks === 0)) {
        return 'Each statement is committed separately, and stays committed if a later one fails.';
      }
      return 'Runs in parts: transactions, and statements that are committed separately. Each part stays committed if a later one fails.';
    }
    case 'mysql':
      return 'Each statement is committed separately, and stays committed if a later one fails.';
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
    ...(breaks.size > 0 ? ['While a server of the previous version is still running, it:'] : []),
    ...[...breaks].map((note) => `- ${note}`),
  ];
}

/** The notes on a new migration, one diagnostic per database. */
export function safetyReport(plan: MigrationPlan, databases: readonly Dialect[]): readonly Diagnostic[] {
  return databases.flatMap((dialect): readonly Diagnostic[] => {
    const notes = safetyNotes(plan, dialect);
    if (notes.length === 0) return [];
    const message = `effects of ${plan.name} on ${ENGINE_NAMES[dialect]} while it runs`;
    return [{ code: 'migrations/safety', severity: 'info', message, hint: notes.join('\n') }];
  });
}
