/** Logs statements that take longer than `SLOW_STATEMENT_MS`, with the plan by which the database runs them. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { measures } from '../base/measures.ts';
import type { Database } from '../database/database.ts';
import { raw, type Sql } from '../database/sql.ts';
import type { StatementWatch } from '../database/statement-watch.ts';

/** How long a plan is not asked for again, in milliseconds, and for how many statements that is known. */
const PLAN_KEPT = 60_000;
const MAX_PLANS = 200;
/** Characters of a statement in the log. */
const MAX_TEXT = 4000;

export interface SlowStatements extends StatementWatch {
  /** The database that is asked for plans; until then there are none. */
  explainBy(database: Database): void;
}

/** Lines of a plan, whatever columns the engine shows it in. Undefined where it has none, such as for a COMMIT. */
async function planOf(database: Database, { text, params }: Sql): Promise<readonly string[] | undefined> {
  try {
    const rows = await database.all({ text: `${database.dialect.explain} ${text}`, params });
    return rows.map(({ detail, ...row }) => (detail === undefined ? Object.values(row).join(' ') : String(detail)));
  } catch {
    return undefined;
  }
}

/** Values are never logged: statements hold placeholders. At most one plan is asked for at a time. */
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
    // Of those that were sent together, none tells how long it took; the longest text is what there is most to say of.
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
        measures.slowStatements += 1;
        void report(statements, milliseconds);
      };
    },
    explainBy: (opened) => void (database = opened),
  };
}
