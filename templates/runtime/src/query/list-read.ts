/** How a list is read: by one statement where that is bounded, else level by level. */
import { tooLarge } from '../base/cost/answer-budget.ts';
import type { Executor, ReadOptions } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { AnswerTooLargeError } from '../contract/errors.ts';
import { compileCount } from './compile/compile-count.ts';
import { compileCutList, compileList } from './compile/compile-list.ts';
import type { CutListStatement, ListPage, ListStatement } from './compile/compile-list.ts';
import { boundsFor } from './compile/list-weight.ts';
import { levelRead, measured, type ReadContext } from './measured-text.ts';
import { pageMeta } from './page-meta.ts';
import { rowsOf } from './pagination.ts';
import type { Sized } from './query-cache.ts';
import { completeEntries } from './read-levels.ts';
import type { ListQuery, LocaleFilter } from './read-query.ts';
import { listQueryScans } from './scans.ts';

/** A list that was compiled. */
export interface ListRead extends Sized {
  /** The body: `{"data":[…],"meta":{"pagination":{…}}}`, in UTF-8. Throws BadRequestError where it would be too large. */
  body(options: ReadOptions): Promise<Buffer>;
}

const START = Buffer.from('{"data":');

/** What a list is read with. */
interface Statements {
  readonly query: ListQuery;
  readonly list: ListStatement | undefined;
  readonly count: Sql;
  readonly cut: () => CutListStatement;
  /** Whether lists are populated, so that it can be read level by level. */
  readonly hasLists: boolean;
}

/** The total, without counting where the page itself tells: it is not full, and not beyond the end. */
async function totalOf(
  executor: Executor,
  { query: { page }, count }: Statements,
  shown: Pick<ListPage, 'rows' | 'total'>,
  options: ReadOptions,
): Promise<number> {
  if (shown.total !== undefined) return shown.total;
  const { start, limit } = rowsOf(page);
  if (shown.rows < limit && (shown.rows > 0 || start === 0)) return start + shown.rows;
  return Number((await executor.get(count, options))?.['total']);
}

function bodyOf({ page }: ListQuery, data: Buffer, total: number | undefined): Buffer {
  const meta = JSON.stringify({ pagination: pageMeta(page, total) });
  return Buffer.concat([START, data, Buffer.from(`,"meta":${meta}}`)]);
}

/** By one statement; undefined where its answer turns out to be too large, or may be. */
async function atOnce(
  { database, limits }: ReadContext,
  statements: Statements,
  list: ListStatement,
  options: ReadOptions,
): Promise<Buffer | undefined> {
  const { query, hasLists } = statements;
  try {
    const page = list.pageOf(await database.all(list.statement, options));
    if (!measured(page.data, { limits, hasLists })) return undefined;
    const total = query.page.withCount ? await totalOf(database, statements, page, options) : undefined;
    return bodyOf(query, page.data, total);
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return undefined;
    throw error;
  }
}

function byLevels(context: ReadContext, statements: Statements, options: ReadOptions): Promise<Buffer> {
  const { query } = statements;
  const { statement, level, totalOf: totalIn } = statements.cut();
  return context.database.readTransaction(options, async (executor) => {
    const rows = await executor.all(statement, options);
    const texts = await completeEntries(levelRead(context, executor, options), level, rows);
    const shown = { rows: rows.length, total: totalIn(rows) };
    const total = query.page.withCount ? await totalOf(executor, statements, shown, options) : undefined;
    return bodyOf(query, Buffer.from(`[${texts.join(',')}]`), total);
  });
}

/** Compiles a list. */
export function compileListRead(context: ReadContext, query: ListQuery, locale: LocaleFilter): ListRead {
  const { dialect } = context.database;
  const { limit } = rowsOf(query.page);
  const bounds = boundsFor(query.entry.populate, limit, context.limits);
  const list = bounds?.kind === 'cut' ? undefined : compileList(dialect, query, locale, bounds);
  let cut: CutListStatement | undefined;
  const statements: Statements = {
    query,
    list,
    count: compileCount(dialect, query, locale),
    cut: () => (cut ??= compileCutList(dialect, query, locale)),
    hasLists: bounds !== undefined,
  };
  const scans = listQueryScans(query);
  // What was too large once is likely to be so again.
  let tooLargeBefore = false;
  return {
    size: (list?.statement.text.length ?? 0) + statements.count.text.length,
    async body({ client }) {
      const options = { client, scans };
      if (list && !tooLargeBefore) {
        const body = await atOnce(context, statements, list, options);
        if (body) return body;
        if (!statements.hasLists) throw tooLarge(`${context.limits.maxAnswerSize} bytes`, undefined);
        tooLargeBefore = true;
      }
      return byLevels(context, statements, options);
    },
  };
}
