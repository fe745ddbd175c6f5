/** Keyset pagination: first finds the ids of a page, starting after the last entry of the page before, then reads its entries. */
import type { Executor } from '../database/executor.ts';
import type { ListAnswer } from './answer.ts';
import { type Operand, valueIn } from './bindings.ts';
import { compileCount } from './compile/compile-count.ts';
import { compileKeysetPage } from './compile/compile-keyset-page.ts';
import { bound } from './compile/parameters.ts';
import { writeCursor } from './cursor.ts';
import { compileListRead, type ListRead } from './list-read.ts';
import type { ReadContext, ReadRun } from './read-limits.ts';
import type { ReadableScalar } from './readable-attributes.ts';
import type { KeysetListQuery, LocaleFilter, NumberedListQuery } from './read-query.ts';
import { countScans, listQueryScans } from './scans.ts';

const ID: ReadableScalar = {
  kind: 'scalar',
  name: 'id',
  type: 'biginteger',
  columnType: 'biginteger',
  column: 'id',
  indexed: true,
};

/** Selects entries by ids that each run binds after `first` other values, in the order of the list. */
function chosenEntries(query: KeysetListQuery, first: number): NumberedListQuery {
  const { pageSize } = query.page;
  const values = Array.from({ length: pageSize }, (_, index): Operand => ({ kind: 'bound', index: first + index }));
  const page = { kind: 'offset', start: 0, limit: pageSize, withCount: false } as const;
  return { ...query, filter: { kind: 'in', field: ID, values }, page };
}

/** Pads the ids to a full page, because the statement has a parameter for each of its entries. */
function padded(ids: readonly number[], pageSize: number): readonly string[] {
  return Array.from({ length: pageSize }, (_, index) => String(ids[index] ?? ids[0] ?? 0));
}

/**
 * Compiles a keyset page of a query that binds `valueCount` values. Its two statements need no common snapshot: an entry deleted in
 * between is left out, and the first statement alone decides where the next page begins.
 */
export function compileKeysetListRead(
  context: ReadContext,
  query: KeysetListQuery,
  { locale, valueCount }: { readonly locale: LocaleFilter; readonly valueCount: number },
): ListRead {
  const { page } = query;
  const { dialect } = context.database;
  const ids = compileKeysetPage(dialect, query, locale, { position: page.position, count: page.pageSize + 1 });
  const count = page.withCount ? compileCount(dialect, query, locale) : undefined;
  const entries = compileListRead(context, chosenEntries(query, valueCount), locale);
  const scans = listQueryScans({ ...query, page: { ...page, withCount: false } });

  async function totalOf(executor: Executor, { client }: ReadRun): Promise<number | undefined> {
    const row = count && (await executor.get(count, { client, scans: countScans(query) }));
    return row && Number(row['total']);
  }

  return {
    size: ids.statement.text.length + entries.size,
    async answer(run): Promise<ListAnswer> {
      const { client, values } = run;
      const executor = bound(context.database, values);
      const rows = await executor.all(ids.statement, { client, scans });
      const last = rows[page.pageSize - 1];
      const hasMore = rows.length > page.pageSize && last !== undefined;
      const shown = rows.slice(0, page.pageSize).map((row) => Number(row['id']));
      const answer = await entries.answer({ client, values: [...values, ...padded(shown, page.pageSize)] });
      // A first page without a successor is the whole list: no count needed.
      const total = page.position || hasMore ? await totalOf(executor, run) : count && shown.length;
      const next = hasMore ? writeCursor(valueIn(page.fingerprint, values), ids.positionOf(last)) : null;
      return answer.on({ pageSize: page.pageSize, next, ...(total === undefined ? {} : { total }) });
    },
  };
}
