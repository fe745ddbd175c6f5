/** Which entries matched a query at a time, in its order. Former content has no indexes: all that was there is looked through, up to a limit. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import { MAX_FORMER } from '../../contract/limits.ts';
import type { ReadOptions } from '../../database/statement-runner.ts';
import type { RelatedSource } from '../../query/assembled-entry.ts';
import { isEntryId } from '../../query/entry-id.ts';
import type { Content } from '../../query/content-text.ts';
import type { ContentSource } from '../../query/given/given-rows.ts';
import { type Given, matchingContents, matchingItems } from '../../query/given/matching-contents.ts';
import type { Filter, ReadQuery, VisibleEntries } from '../../query/read-query.ts';
import { contentsAt, idsAt, type Listed } from './former-contents.ts';
import { isShownAsNow, type Reading, rowsEverOf, seenNow, type Spending } from './reading-at.ts';

/** In microseconds: reading a row of former content, and the conditions on it. */
const ROW = 20;

/** Whether a query asks for more than the order of ids. */
export function looksThrough({ asked, sort = [] }: ReadQuery & { readonly sort?: readonly unknown[] }): boolean {
  return asked !== undefined || sort.length > 0;
}

/** Throws BadRequestError, saying what to do instead. */
function refuseMore(what: string): never {
  throw new BadRequestError(
    `Invalid parameter asOf: to filter and sort former content, a read looks through at most ${what}; leave filters and sort out, or narrow the list to some entries with filters[id][$in]`,
  );
}

/** What one read may look through. */
export function spending(): Spending {
  const left: { rows: number; size: number } = { ...MAX_FORMER };
  return {
    rows(count) {
      left.rows -= count;
      if (left.rows < 0) refuseMore(`${MAX_FORMER.rows} entries and links that were there then`);
    },
    size(bytes) {
      left.size -= bytes;
      if (left.size < 0) refuseMore(`${MAX_FORMER.size / 1024 / 1024} MiB of content`);
    },
  };
}

export interface Matching {
  /** In the order of the query. */
  readonly ids: readonly number[];
  readonly contents: ReadonlyMap<number, Content>;
}

function contentsOf({ context, time, spent }: Reading, type: ContentType, ids: readonly number[]) {
  const { database, types } = context;
  return contentsAt(database, types, type, { ids, time, spend: spent.size });
}

/** What questions lead to. */
function givenAt(reading: Reading): Omit<Given, 'contents'> {
  const { request, selected, spent } = reading;
  const seen = async (visible: VisibleEntries, some: readonly number[]): Promise<readonly number[]> => {
    const among = await seenNow(reading, visible, some);
    return some.filter((id) => among.has(id));
  };
  const source: ContentSource = {
    async contents(visible, some) {
      await reading.required(visible.type);
      return contentsOf(reading, visible.type, await seen(visible, some));
    },
    stored: (visible, some) => selected.seen(visible, some),
    rowsOf: rowsEverOf(reading),
    count: spent.rows,
  };
  const options = (rows: number): ReadOptions => ({
    client: request.client,
    scans: [{ table: HISTORY_TABLE, weight: ROW * rows, most: 1 }],
  });
  return { source, isStored: isShownAsNow, options };
}

/** Those of the entries with these ids that matched the query. */
export async function matchesAt(reading: Reading, ids: readonly number[]): Promise<Matching> {
  const { entry, asked, sort = [] } = reading.selected.query;
  const contents = await contentsOf(reading, entry.type, ids);
  const question = { type: entry.type, filter: asked, sort };
  const given = { ...givenAt(reading), contents };
  return { contents, ids: await matchingContents(reading.context.database, question, given) };
}

/** How what is populated is filtered and sorted: by what it was. */
export function populatedAt(reading: Reading): Pick<RelatedSource, 'matching' | 'matchingItems'> {
  const { context, selected, spent } = reading;
  const { database } = context;
  return {
    async matching(entry, question, ids) {
      const { type } = entry;
      spent.rows(ids.length);
      if (isShownAsNow(type)) return selected.source.matching(entry, question, ids);
      await reading.required(type);
      const seen = await seenNow(reading, entry, ids);
      const among = ids.filter((id) => seen.has(id));
      const contents = await contentsOf(reading, type, among);
      const matching = await matchingContents(database, { type, ...question }, { ...givenAt(reading), contents });
      return { seen: new Set(contents.keys()), ids: matching };
    },
    matchingItems(of, question, items) {
      spent.rows(items.length);
      return matchingItems(database, { ...of, ...question }, items, givenAt(reading));
    },
  };
}

/** What must all be true. */
function conditionsIn(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(conditionsIn) : [filter];
}

/** The ids that the filters name, if they narrow the list to these. */
function namedIds({ asked }: ReadQuery): readonly number[] | undefined {
  for (const one of asked ? conditionsIn(asked) : []) {
    if (!('field' in one) || one.field.column !== 'id') continue;
    const operands =
      one.kind === 'in' ? one.values : one.kind === 'compare' && one.comparison === '=' ? [one.value] : [];
    const ids = operands.flatMap((operand) => (operand.kind === 'constant' ? [Number(operand.value)] : []));
    if (operands.length > 0 && ids.length === operands.length) return ids.filter(isEntryId);
  }
  return undefined;
}

/** Those of the entries of a list that matched the query. `permitted`: those of the ids whose history the caller may see. */
export async function matchingAt(
  reading: Reading,
  listed: Listed,
  permitted: (ids: readonly number[]) => Promise<readonly number[]>,
): Promise<Matching> {
  const { database, types } = reading.context;
  const { query } = reading.selected;
  const ids = await idsAt(database, types, query.entry.type, {
    ...listed,
    named: namedIds(query),
    most: MAX_FORMER.rows + 1,
  });
  reading.spent.rows(ids.length);
  return matchesAt(reading, await permitted(ids));
}
