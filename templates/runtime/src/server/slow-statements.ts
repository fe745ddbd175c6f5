/** Logs statements that take longer than `SLOW_STATEMENT_MS`, with their query plan. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { counters } from '../base/counters.ts';
import type { Database } from '../database/database.ts';
import { raw, type Sql } from '../database/sql.ts';
import type { StatementWatch } from '../database/statement-watch.ts';

/** For how long an explained statement is not explained again, in milliseconds, and how many such statements are remembered. */
const PLAN_KEPT = 60_000;
const MAX_PLANS = 200;
/** Maximum length of a statement in the log, in characters. */
const MAX_TEXT = 4000;

/** Watches statements, and logs slow ones. */
export interface SlowStatements extends StatementWatch {
  /** Sets the database that explains statements. Before this is called, plans aren't logged. */
  explainBy(database: Database): void;
}

/** The lines of a query plan, for every engine. Undefined for statements without one, such as COMMIT. */
async function planOf(database: Database, { text, params }: Sql): Promise<readonly string[] | undefined> {
  try {
    const rows = await database.all({ text: `${database.dialect.explain} ${text}`, params });
    return rows.map(({ detail, ...row }) => (detail === undefined ? Object.values(row).join(' ') : String(detail)));
  } catch {
    return undefined;
  }
}

/** `limit` is in milliseconds. Values are never logged: statements contain placeholders. Only one EXPLAIN runs at a time. */
export function createSlowStatements(limit: number, logger: Logger): SlowStatements {
  const explained = new LRUCache<string, true>({ max: MAX_PLANS, ttl: PLAN_KEPT });
  let database: Database | undefined;
  let isExplaining = false;

  async function explain(statement: Sql): Promise<readonly string[] | undefined> {
    if (!database || isExplaining || explained.has(statement.text)) return undefined;
    explained.set(statement.text, true);
    isExplaining = true;
    return planOf(database, statement).finally(() => (isExplaining = false));
  }

  async function report(statements: readonly Sql[], milliseconds: number): Promise<void> {
    // The time of a single statement in a batch is unknown: log the longest one, the most likely culprit.
    const [first = raw('')] = [...statements].sort((a, b) => b.text.length - a.text.length);
    const plan = await explain(first);
    const together = statements.length > 1 ? { together: statements.length } : {};
    const statement = first.text.slice(0, MAX_TEXT);
    logger.warn({ milliseconds: Math.round(milliseconds), statement, ...together, plan }, 'slow statement');
  }

  return {
    sent(statements) {
      const started = performance.now();
      return () => {
        const milliseconds = performance.now() - started;
        if (milliseconds < limit) return;
        if (database && statements[0]?.text.startsWith(database.dialect.explain)) return;
        counters.slowStatements += 1;
        void report(statements, milliseconds);
      };
    },
    explainBy: (opened) => void (database = opened),
  };
}
