/** Reports the progress and the duration of long statements in migrations. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Session } from '../database/database.ts';
import { statementsOf } from '../contract/sql/statements.ts';
import { raw } from '../database/sql.ts';
import type { SqlEngine } from '../contract/sql/tokens.ts';

/** The minimum duration that is reported, in milliseconds. */
const LONG = 1000;

/**
 * The delay before the first report that a statement is still running, and the longest delay between reports, in
 * milliseconds.
 */
const FIRST_NOTE = 5000;
const LAST_NOTE = 60_000;

/** A part of a migration that takes longer than a second. */
export interface LongPart {
  /** `CREATE INDEX CONCURRENTLY "articles__rank_sort" …`, or `6 statements, from …`. */
  readonly what: string;
  readonly seconds: number;
  /** Whether it has ended, successfully or not. */
  readonly isOver: boolean;
  /** The progress, if the database reports it: `building index: 45 %`. */
  readonly progress: string | undefined;
}

export type LongPartListener = (part: LongPart) => void;

const SHOWN = 80;
/** The first words of statements that the migrator adds to control transactions. */
const CONTROL: ReadonlySet<string> = new Set(['BEGIN', 'START', 'COMMIT', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);

/** A one-line summary of a script. */
export function headline(script: string, engine: SqlEngine): string {
  const statements = statementsOf(script, engine)
    .filter(({ sql, words: [first = ''] }) => !CONTROL.has(first) && !sql.includes('_migration'))
    .map(({ sql }) => sql.replaceAll(/\s+/gu, ' '));
  const [first = ''] = statements;
  const shown = first.length > SHOWN ? `${first.slice(0, SHOWN)}…` : first;
  return statements.length > 1 ? `${statements.length} statements, from ${shown}` : shown;
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10;
}

/** Reports on a statement that runs in many parts. */
export interface PartNotes {
  /** Reports the progress if a report is due. */
  progress(describe: () => Promise<string>): Promise<void>;
  /** Reports the duration if it was long. */
  end(): void;
}

export function notesOf(statement: string, engine: SqlEngine, listener: LongPartListener | undefined): PartNotes {
  const start = performance.now();
  const what = headline(statement, engine);
  let [pause, next] = [FIRST_NOTE, start + FIRST_NOTE];
  return {
    async progress(describe) {
      if (!listener || performance.now() < next) return;
      pause = Math.min(pause * 2, LAST_NOTE);
      next = performance.now() + pause;
      listener({ what, seconds: secondsSince(start), isOver: false, progress: await describe() });
    },
    end() {
      if (performance.now() - start > LONG) {
        listener?.({ what, seconds: secondsSince(start), isOver: true, progress: undefined });
      }
    },
  };
}

const BUILDING = raw(
  `SELECT phase, CASE WHEN blocks_total > 0 THEN 100 * blocks_done / blocks_total WHEN tuples_total > 0 THEN 100 * tuples_done / tuples_total END::int AS percent, nullif(current_locker_pid, 0)::int AS locker FROM pg_stat_progress_create_index WHERE datname = current_database() AND command LIKE '%CONCURRENTLY' ORDER BY pid LIMIT 1`,
);

/** The progress of an index that PostgreSQL builds CONCURRENTLY. */
async function indexProgress(database: Pick<Database, 'dialect' | 'get'>): Promise<string | undefined> {
  if (database.dialect.name !== 'postgres') return undefined;
  const row = await database.get(BUILDING).catch(() => undefined);
  if (!row) return undefined;
  const percent = row['percent'] === null ? '' : `: ${Number(row['percent'])} %`;
  const locker = row['locker'] === null ? '' : `, for the process ${Number(row['locker'])}`;
  return `${String(row['phase'])}${percent}${locker}`;
}

/** Wraps a session so that `listener` is called for long scripts. Their progress is queried from `database`. */
export function watchedSession(
  session: Session,
  database: Pick<Database, 'dialect' | 'get'>,
  listener: LongPartListener,
): Session {
  const { atomically } = session;
  return {
    dialect: session.dialect,
    ...(atomically && {
      atomically: <T>(work: (own: Session) => Promise<T>) =>
        atomically((own) => work(watchedSession(own, database, listener))),
    }),
    all: (statement, options) => session.all(statement, options),
    get: (statement, options) => session.get(statement, options),
    run: (statement) => session.run(statement),
    async script(text) {
      const start = performance.now();
      const ended = new AbortController();
      const tell = (isOver: boolean, progress: string | undefined): void => {
        listener({
          what: headline(text, session.dialect.name),
          seconds: secondsSince(start),
          isOver,
          progress,
        });
      };
      const watch = async (): Promise<void> => {
        for (let pause = FIRST_NOTE; ; pause = Math.min(pause * 2, LAST_NOTE)) {
          await sleep(pause, undefined, { signal: ended.signal, ref: false });
          const progress = await indexProgress(database);
          if (!ended.signal.aborted) tell(false, progress);
        }
      };
      // The loop ends by being aborted.
      void watch().catch(() => undefined);
      try {
        await session.script(text);
      } finally {
        ended.abort();
        if (performance.now() - start > LONG) tell(true, undefined);
      }
    },
  };
}
