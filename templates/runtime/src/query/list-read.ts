/** Reads a list: with a single statement if its result is bounded, otherwise level by level. */
import { tooLarge } from '../base/cost/answer-budget.ts';
import type { Executor } from '../database/executor.ts';
import type { ReadOptions } from '../database/statement-runner.ts';
import type { Sql } from '../database/sql.ts';
import { AnswerTooLargeError } from '../contract/errors.ts';
import { listAnswer, type ListAnswer } from './answer.ts';
import { compileCount } from './compile/compile-count.ts';
import {
  compileList,
  compileShallowList,
  type ListPage,
  type ListStatement,
  type ShallowListStatement,
} from './compile/compile-list.ts';
import { boundsFor } from './compile/list-weight.ts';
import { bound } from './compile/parameters.ts';
import { createKnownTooLarge, isWithinLimits, levelRead, type ReadContext, type ReadRun } from './read-limits.ts';
import { rowsOf } from './pagination.ts';
import type { Sized } from './query-cache.ts';
import { completeEntries } from './read-levels.ts';
import { arrayOf } from './utf8-pieces.ts';
import type { ListQuery, LocaleFilter, NumberedListQuery } from './read-query.ts';
import { countScans, listQueryScans } from './scans.ts';

/** A compiled list. */
export interface ListRead extends Sized {
  /** Throws BadRequestError if the answer would be too large. */
  answer(run: ReadRun): Promise<ListAnswer>;
}

/** The statements of a list. */
interface Statements {
  readonly query: NumberedListQuery;
  readonly list: ListStatement | undefined;
  /** Undefined if the list is not counted. */
  readonly count: Sql | undefined;
  readonly shallow: () => ShallowListStatement;
  /** Whether lists are populated, so that it can be read level by level. */
  readonly hasLists: boolean;
}

/** The total. Counting is skipped if the page determines it: not full, and not beyond the end. */
async function totalOf(
  executor: Executor,
  { query: { page }, count }: Statements,
  shown: Pick<ListPage, 'rows' | 'total'>,
  options: ReadOptions,
): Promise<number | undefined> {
  if (!count) return undefined;
  if (shown.total !== undefined) return shown.total;
  const { start, limit } = rowsOf(page);
  if (shown.rows < limit && (shown.rows > 0 || start === 0)) return start + shown.rows;
  return Number((await executor.get(count, options))?.['total']);
}

/** One execution of a list query. */
interface Reading {
  readonly run: ReadRun;
  readonly options: ReadOptions;
}

/** The page with signed addresses of files. */
function signed<Page extends Pick<ListPage, 'data'>>({ fileUrls }: ReadContext, page: Page): Page {
  return fileUrls ? { ...page, data: fileUrls.signedPieces(page.data) } : page;
}

/** Reads with a single statement; undefined if the answer is, or may be, too large. */
async function atOnce(
  context: ReadContext,
  statements: Statements,
  list: ListStatement,
  { run, options }: Reading,
): Promise<ListAnswer | undefined> {
  const { database, limits } = context;
  const { query, hasLists } = statements;
  const executor = bound(database, run.values);
  try {
    const page = list.pageOf(await executor.all(list.statement, options));
    if (!isWithinLimits(page.data, { limits, hasLists, shape: query.entry.shape })) return undefined;
    const total = await totalOf(executor, statements, page, options);
    return listAnswer(signed(context, page), query.page, total);
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return undefined;
    throw error;
  }
}

function byLevels(context: ReadContext, statements: Statements, { run, options }: Reading): Promise<ListAnswer> {
  const { query } = statements;
  const { statement, level, totalOf: totalIn } = statements.shallow();
  return context.database.readTransaction(options, async (reader) => {
    const executor = bound(reader, run.values);
    const rows = await executor.all(statement, options);
    const texts = await completeEntries(levelRead(context, executor, options), level, rows);
    const shown = { rows: rows.length, total: totalIn(rows) };
    const total = await totalOf(executor, statements, shown, options);
    return listAnswer(signed(context, { data: arrayOf(texts) }), query.page, total);
  });
}

/** Compiles a list. */
export function compileListRead(context: ReadContext, query: NumberedListQuery, locale: LocaleFilter): ListRead {
  const { dialect } = context.database;
  const { limit } = rowsOf(query.page);
  const bounds = boundsFor(query.entry.populate, limit, context.limits);
  const list = bounds?.kind === 'deferred' ? undefined : compileList(dialect, query, locale, bounds);
  let shallow: ShallowListStatement | undefined;
  const statements: Statements = {
    query,
    list,
    count: query.page.withCount ? compileCount(dialect, query, locale) : undefined,
    shallow: () => (shallow ??= compileShallowList(dialect, query, locale)),
    hasLists: bounds !== undefined,
  };
  const scans = listQueryScans(query);
  const tooLargeBefore = createKnownTooLarge();
  return {
    size: (list?.statement.text.length ?? 0) + (statements.count?.text.length ?? 0),
    async answer(run) {
      const reading: Reading = { run, options: { client: run.client, scans } };
      if (list && !tooLargeBefore.has(run)) {
        const answer = await atOnce(context, statements, list, reading);
        if (answer) return answer;
        if (!statements.hasLists) throw tooLarge(`${context.limits.maxAnswerSize} bytes`, undefined);
        tooLargeBefore.add(run);
      }
      return byLevels(context, statements, reading);
    },
  };
}

/** A compiled count of all entries of a list. */
export interface CountRead extends Sized {
  count(run: ReadRun): Promise<number>;
}

/** Compiles the count of a list. */
export function compileCountRead({ database }: ReadContext, query: ListQuery, locale: LocaleFilter): CountRead {
  const count = compileCount(database.dialect, query, locale);
  const scans = countScans(query);
  return {
    size: count.text.length,
    async count({ values, client }) {
      const row = await bound(database, values).get(count, { client, scans });
      return Number(row?.['total']);
    },
  };
}
