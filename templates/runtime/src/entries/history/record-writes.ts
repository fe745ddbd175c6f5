/**
 * Records what entries contain after each write, in its transaction. Which entries a write changes is said by its statements
 * (`Statement.touches`), whoever has planned them: so no door, and no side of a relation, is left out.
 */
import type { ContentTypes } from '../../contract/content-type.ts';
import { ValidationError } from '../../contract/errors.ts';
import { MAX_SIDE_CHANGES } from '../../contract/limits.ts';
import type { Database } from '../../database/database.ts';
import type { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import type { Planner, Statement, Step, Subject, TouchedRows, Transaction } from '../../database/write-plan.ts';
import { incomplete } from './complete-since.ts';
import { type Id, keyOf, versionInserts, type Write } from './insert-versions.ts';
import { hasHistory, recordedTables, type RecordedType, statesOf } from './recorded-types.ts';

/** The action of a version that no write of the entry has made, but one of another entry. */
export const BY_OTHERS = 'link';

export interface Recorder {
  record<T>(planner: Planner<T>): Planner<T>;
}

/** What is called the action of a version. */
function actionOf({ action, publication, cause }: Subject): string {
  return cause ?? (action === 'update' && publication ? publication : action);
}

/** The actions of subjects. By the end of a write, new entries have ids. */
function actionsOf(subjects: readonly Subject[]): Write['actions'] {
  const actions = new Map<string | NewId, string>();
  for (const subject of subjects) {
    const { type, id } = subject;
    if (id === undefined) continue;
    const key = typeof id === 'number' ? keyOf(type, id) : id.known === undefined ? id : keyOf(type, id.known);
    if (!actions.has(key)) actions.set(key, actionOf(subject));
  }
  return actions;
}

/** The entries that a write changes, by table. */
class Touched {
  readonly #tables: ReadonlyMap<string, readonly RecordedType[]>;
  readonly #ids = new Map<string, Set<Id>>();
  /** Whether which entries these are is known only while the write runs. */
  isLate = false;

  constructor(tables: ReadonlyMap<string, readonly RecordedType[]>) {
    this.#tables = tables;
  }

  #add(table: string, ids: readonly Id[]): void {
    const all = this.#ids.get(table) ?? new Set();
    this.#ids.set(table, all);
    for (const id of ids) all.add(id);
  }

  /** Adds the entries that a SELECT finds. Throws ValidationError for too many. */
  async #addFound(tx: Transaction, table: string, ids: Sql): Promise<readonly Step[]> {
    const most = MAX_SIDE_CHANGES;
    const rows = await tx.all(sql`SELECT DISTINCT s.k FROM (${ids}) AS s LIMIT ${raw(String(most + 1))}`);
    if (rows.length > most) {
      const uid = this.#tables.get(table)?.[0]?.type.uid ?? table;
      const message = `more than ${most} entries of ${uid} would change, each of which has a history: change fewer at a time`;
      throw new ValidationError([{ path: [], message }]);
    }
    this.#add(
      table,
      rows.flatMap((row) => (row['k'] === null ? [] : [Number(row['k'])])),
    );
    return [];
  }

  #noted(step: Statement): readonly Step[] {
    const { touches = [] } = step;
    const all: readonly TouchedRows[] = 'table' in touches ? [touches] : touches;
    const before = all.flatMap(({ table, ids }): readonly Step[] => {
      if (!this.#tables.has(table)) return [];
      if ('text' in ids) {
        this.isLate = true;
        return [(tx) => this.#addFound(tx, table, ids)];
      }
      this.#add(table, ids);
      return [];
    });
    return [...before, step];
  }

  /** The steps, which note what they touch. `within`: how a transaction is passed to them. */
  noting(steps: readonly Step[], within: (tx: Transaction) => Transaction): readonly Step[] {
    return steps.flatMap((step): readonly Step[] => {
      if (typeof step !== 'function') return this.#noted(step);
      this.isLate = true;
      return [async (tx, outcome) => this.noting(await step(within(tx), outcome), within)];
    });
  }

  /** Entries that are subjects of a write whose statements don't say what they change: all that is stored of them. */
  addSubjects(subjects: readonly Subject[], statesOfType: (uid: string) => readonly RecordedType[]): void {
    for (const { action, type: uid, id } of subjects) {
      if (id === undefined || (action !== 'create' && action !== 'update')) continue;
      const states = statesOfType(uid);
      if (states.some(({ type: { table } }) => this.#ids.get(table)?.has(id))) continue;
      for (const { type } of states) this.#add(type.table, [id]);
    }
  }

  recorded(record: (of: RecordedType, ids: ReadonlySet<Id>) => readonly Statement[]): readonly Statement[] {
    return [...this.#ids].flatMap(([table, ids]) => (this.#tables.get(table) ?? []).flatMap((of) => record(of, ids)));
  }
}

export function createRecorder(types: ContentTypes, clock: () => number = Date.now): Recorder {
  const tables = recordedTables(types);
  const inserts = versionInserts(types);
  const recordedStates = (uid: string): readonly RecordedType[] => {
    const type = types.types[uid];
    return type && hasHistory(type) ? statesOf(types, type) : [];
  };
  const byTable = new Map(Object.values(types.types).map((type) => [type.table, type]));

  /** Imports write rows of which nothing is known: the history begins again with those that have no version. */
  function imported(subjects: readonly Subject[]): readonly Step[] {
    const found = subjects.flatMap(({ action, type }) => (action === 'import' ? (byTable.get(type) ?? []) : []));
    return [...new Set(found.filter(hasHistory).map(({ uid }) => uid))].map(incomplete);
  }

  function record<T>(planner: Planner<T>): Planner<T> {
    return async (tx) => {
      const plan = await planner(within(tx));
      const { subjects, by, cause = BY_OTHERS } = plan;
      const touched = new Touched(tables);
      const steps = touched.noting(plan.steps, within);
      const { dialect } = tx;
      const since = clock();
      const write = (): Write => ({ actions: actionsOf(subjects), other: cause, by, since });
      const versions = (): readonly Statement[] => {
        touched.addSubjects(subjects, recordedStates);
        return touched.recorded((of, ids) => inserts.versions(dialect, of, ids, write()));
      };
      const last = touched.isLate ? [() => Promise.resolve(versions())] : versions();
      const gone = [...inserts.removals(dialect, subjects, write()), ...imported(subjects)];
      return last.length + gone.length === 0 ? plan : { ...plan, steps: [...steps, ...last, ...gone] };
    };
  }

  function within(tx: Transaction): Transaction {
    return { ...tx, write: (planner) => tx.write(record(planner)) };
  }

  return { record };
}

/** A database that records every write, including those inside of transactions. */
export function recordingDatabase(database: Database, { record }: Recorder): Database {
  const recorded = (tx: Transaction): Transaction => ({ ...tx, write: (planner) => tx.write(record(planner)) });
  return {
    ...database,
    write: (planner) => database.write(record(planner)),
    transaction: (work) => database.transaction((tx) => work(recorded(tx))),
    longTransaction: (work) => database.longTransaction((tx) => work(recorded(tx))),
  };
}
