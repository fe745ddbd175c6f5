/** Which entries matched a query at a time, in its order. Former content has no indexes: all that was there is looked through, up to a limit. */
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import { MAX_FORMER } from '../../contract/limits.ts';
import type { ReadOptions } from '../../database/statement-runner.ts';
import { isEntryId } from '../../query/entry-id.ts';
import { FLAT } from '../../query/entry-shape.ts';
import type { Content } from '../../query/content-text.ts';
import type { ContentSource, Visible } from '../../query/given/given-rows.ts';
import { matchingContents } from '../../query/given/matching-contents.ts';
import type { EntrySelection, ReadQuery } from '../../query/read-query.ts';
import { contentsAt, idsAt, type Listed } from './former-contents.ts';
import { isShownAsNow, type Reading, requireOnce, rowsEverOf, seenNow } from './reading-at.ts';

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

function budget(): { readonly rows: (count: number) => void; readonly size: (bytes: number) => void } {
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

/** Those of the entries that matched the query. */
async function matchingAmong(
  reading: Reading,
  ids: readonly number[],
  spent: ReturnType<typeof budget>,
): Promise<Matching> {
  const { context, request, selected, time } = reading;
  const { database, types } = context;
  const { entry, asked, sort = [] } = selected.query;
  const required = requireOnce(reading);
  const contentsOf = (type: ContentType, some: readonly number[]) =>
    contentsAt(database, types, type, { ids: some, time, spend: spent.size });
  const selectionOf = (visible: Visible): EntrySelection => ({ ...visible, shape: FLAT, fields: [], populate: [] });
  const seen = async (visible: Visible, some: readonly number[]): Promise<readonly number[]> => {
    const among = await seenNow(reading, selectionOf(visible), some);
    return some.filter((id) => among.has(id));
  };
  const source: ContentSource = {
    async contents(visible, some) {
      await required(visible.type);
      return contentsOf(visible.type, await seen(visible, some));
    },
    stored: (visible, some) => selected.seen(selectionOf(visible), some),
    rowsOf: rowsEverOf(reading),
    count: spent.rows,
  };
  const contents = await contentsOf(entry.type, ids);
  const options = (rows: number): ReadOptions => ({
    client: request.client,
    scans: [{ table: HISTORY_TABLE, weight: ROW * rows, most: 1 }],
  });
  const given = { contents, source, isStored: isShownAsNow, options };
  return { contents, ids: await matchingContents(database, { type: entry.type, filter: asked, sort }, given) };
}

/** The ids that the filters name, if they narrow the list to these. */
function namedIds({ asked }: ReadQuery): readonly number[] | undefined {
  const conditions = asked?.kind === 'and' ? asked.filters : asked ? [asked] : [];
  for (const one of conditions) {
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
  const spent = budget();
  const ids = await idsAt(database, types, query.entry.type, {
    ...listed,
    named: namedIds(query),
    most: MAX_FORMER.rows + 1,
  });
  spent.rows(ids.length);
  return matchingAmong(reading, await permitted(ids), spent);
}

/** Those of the entries with these ids that matched the query. */
export function matchesAt(reading: Reading, ids: readonly number[]): Promise<Matching> {
  return matchingAmong(reading, ids, budget());
}
