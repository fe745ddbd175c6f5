/** Reads entries: from a query to an answer. */
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import { tooLarge } from '../base/cost/answer-budget.ts';
import type { Database } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import type { Priced } from '../base/cost/meter.ts';
import { BadRequestError, NotFoundError } from '../contract/errors.ts';
import { entryAnswer, type EntryAnswer, type ListAnswer, unchangedAnswer, unchangedPage } from './answer.ts';
import { type CheckedQuery, checkedQuery } from './checked-query.ts';
import { type CompilationInput, type CompiledQueries, createCompiledQueries } from './compiled-queries.ts';
import { type CostBasis, countCost, entryCost, listCost, WRITE_COST } from './cost.ts';
import { type EntryKey, isEntryId } from './entry-id.ts';
import type { EntryRequest } from './entry-request.ts';
import type { FileUrls } from './file-urls.ts';
import { V4 } from './format.ts';
import type { ReportIgnored } from './ignored-names.ts';
import { planned, pricedBy } from './priced.ts';
import { createKnownAnswers, type KnownAnswers } from './known-answers.ts';
import { oneLocale } from './query-rules.ts';
import type { EntryStatement } from './compile/compile-read.ts';
import { compileEntryRead, compileSingleRead, type EntryRead } from './entry-read.ts';
import { compileMatchingRead } from './matching-read.ts';
import { compileKeysetListRead } from './keyset-list-read.ts';
import { compileCountRead, compileListRead, type ListRead } from './list-read.ts';
import type { ReadContext, ReadRun } from './read-limits.ts';
import { ownValue } from './query-value.ts';
import type { ListQuery, LocaleFilter, NumberedListQuery, ReadQuery } from './read-query.ts';
import { type Selected, selectedEntries } from './selected-entries.ts';
import type { ReadEntry } from './version-tag.ts';
import { parseEntryQuery, parseListQuery } from './top-level.ts';

/** A validated query without the values that it leaves open. */
export interface OpenQuery {
  readonly query: ReadQuery & Partial<Pick<ListQuery, 'sort'>>;
  readonly values: readonly unknown[];
}

export interface Reader {
  list(type: ContentType, request: EntryRequest): Promise<ListAnswer>;
  /**
   * A list for a response without `meta`, which can't indicate that there is more: it is complete, unless the query has a
   * `pagination`.
   */
  flatList(type: ContentType, request: EntryRequest): Promise<ListAnswer>;
  /** The number of entries on all pages of the list. */
  count(type: ContentType, request: EntryRequest): Promise<number>;
  /** One entry; undefined if none matches. */
  one(type: ContentType, request: EntryRequest, key: EntryKey): Promise<EntryAnswer | undefined>;
  /** Those of the rows `ids` that match, in whatever locale; as `executor` sees them, such as a transaction. */
  matching(
    type: ContentType,
    request: EntryRequest,
    ids: readonly number[],
    executor?: Executor,
  ): Promise<ReadonlySet<number>>;
  /** The entry of a single type; undefined if none matches. */
  single(type: ContentType, request: EntryRequest): Promise<EntryAnswer | undefined>;
  /** The validated query of one entry, of its draft, or of a list, for those who build the answer from stored content. */
  selection(type: ContentType, request: EntryRequest, of?: 'draft' | 'list'): Promise<Selected>;
  /**
   * The validated query of a list or of one entry, and the values that it leaves open: by their index in its operands. Those of the same
   * shape share one, which may therefore be a key.
   */
  parsed(type: ContentType, request: EntryRequest, of: 'one' | 'list'): Promise<OpenQuery>;
  /** Validates the query of a write, before anything is written. */
  check(type: ContentType, request: EntryRequest): Promise<CheckedQuery>;
  /** An entry that was just written, or its draft, regardless of filters. Throws NotFoundError if there is none. */
  entry(executor: Executor, checked: CheckedQuery, id: number): Promise<ReadEntry>;
  /** Like `entry`, but undefined if there is none. */
  findEntry(executor: Executor, checked: CheckedQuery, id: number): Promise<ReadEntry | undefined>;
}

async function readBy(executor: Executor, entry: EntryStatement, id: number): Promise<ReadEntry | undefined> {
  const row = await executor.get(entry.statement(id));
  if (!row) return undefined;
  return entry.complete ? entry.complete(executor, row) : entry.entryOf(row);
}

async function findEntry(executor: Executor, checked: CheckedQuery, id: number): Promise<ReadEntry | undefined> {
  const published = checked.published();
  const found = published === checked.entry ? undefined : await readBy(executor, published, id);
  return found ?? readBy(executor, checked.entry, id);
}

/**
 * The answer for an entry; undefined if there is none. If the client already has it, it is not built again.
 */
async function answerOf(
  known: KnownAnswers,
  read: EntryRead,
  { key, run, isKnown }: { readonly key: number | string; readonly run: ReadRun } & Pick<EntryRequest, 'isKnown'>,
): Promise<EntryAnswer | undefined> {
  const whole = async (): Promise<EntryAnswer | undefined> => {
    const entry = await read.entry(key, run);
    return entry && entryAnswer(entry);
  };
  if (!isKnown) return whole();
  const now = await read.version(key, run);
  if (now?.tag !== undefined) {
    return isKnown({ version: now.version, tag: now.tag }) ? unchangedAnswer(now) : whole();
  }
  const asked = { compiled: read, values: [key, run.values], client: run.client, isKnown };
  return known.answer(asked, whole, unchangedAnswer);
}

/** The whole list, up to the maximum number of entries of one answer. Its entries are counted, to detect a longer list. */
function wholeList(query: ListQuery, { maxAnswerEntries }: ApiSettings): NumberedListQuery {
  const page = { kind: 'offset', start: 0, limit: maxAnswerEntries, withCount: true } as const;
  return { ...query, page, maxCount: undefined };
}

/** What lists are compiled with. */
interface ListOptions {
  readonly api: ApiSettings;
  readonly basis: CostBasis | undefined;
  readonly defaultLocale: LocaleFilter;
}

/** Compiles a list that binds `valueCount` values. */
function compilePage(
  context: ReadContext,
  query: ListQuery,
  { basis, defaultLocale }: ListOptions,
  valueCount = 0,
): ListRead & Priced {
  const locale = query.locale ?? defaultLocale;
  const { page } = query;
  const cost = pricedBy(basis, listCost, query);
  return page.kind === 'keyset'
    ? { ...compileKeysetListRead(context, { ...query, page }, { locale, valueCount }), cost }
    : { ...compileListRead(context, { ...query, page }, locale), cost };
}

/** A list that is complete if `isWhole`: then `total` counts it. */
function compileFlatList(
  context: ReadContext,
  parsed: ListQuery,
  isWhole: boolean,
  { api, basis, defaultLocale }: ListOptions,
) {
  const { page } = parsed;
  if (page.kind === 'keyset') {
    throw new BadRequestError('Invalid parameter pagination.after: this list returns no cursors');
  }
  const locale = parsed.locale ?? defaultLocale;
  const shown = isWhole ? wholeList(parsed, api) : { ...parsed, page };
  const { maxAnswerEntries } = api;
  const list = compileListRead(context, shown, locale);
  const total = isWhole ? compileCountRead(context, { ...parsed, maxCount: maxAnswerEntries + 1 }, locale) : undefined;
  const refuseMore = (count: number): void => {
    if (count > maxAnswerEntries) throw tooLarge(`${maxAnswerEntries} entries`, undefined);
  };
  return {
    size: list.size,
    cost: pricedBy(basis, listCost, shown),
    async answer(run: ReadRun): Promise<ListAnswer> {
      // Refuse a list that is too long before reading any of it.
      if (total) refuseMore(await total.count(run));
      const answer = await list.answer(run);
      // More entries may have been added since the count.
      if (total) refuseMore(Number(answer.pagination['total'] ?? 0));
      return answer;
    },
  };
}

function parsedBy(queries: CompiledQueries, input: CompilationInput, of: 'one' | 'list'): OpenQuery {
  const { compiled, values } = queries.ofShape(input, (tree, scope) => ({
    parsed: of === 'list' ? parseListQuery(tree, scope) : parseEntryQuery(tree, scope),
    size: 1,
  }));
  return { query: compiled.parsed, values };
}

/**
 * The reader of a server. All its functions throw BadRequestError for a query that is malformed, that names what the caller may
 * not use, or whose answer would exceed the configured limits.
 */
export function createReader(options: {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly api: ApiSettings;
  /** Takes note of unknown names that queries may contain. */
  readonly reportIgnored?: ReportIgnored;
  /** Signs the addresses of files; undefined if whoever knows them may read the files. */
  readonly fileUrls?: FileUrls | undefined;
  /** How many rows each table is taken to have, where costs are counted. */
  readonly costRows?: number | undefined;
}): Reader {
  const { database, types, api, reportIgnored, fileUrls, costRows: rows } = options;
  const basis = rows === undefined ? undefined : { rows, maxAnswerEntries: api.maxAnswerEntries };
  const context: ReadContext = { database, limits: api, fileUrls };
  const known = createKnownAnswers(database, fileUrls);
  const queries = createCompiledQueries(types, api, reportIgnored, fileUrls?.marks);
  const defaultLocale: LocaleFilter = { kind: 'locale', locale: types.locales[0] ?? '' };
  const ofLists: ListOptions = { api, basis, defaultLocale };

  return {
    async list(type, { caller, query, format = V4, client, isKnown }) {
      const input = { kind: 'list', type, caller, query, format };
      const plan = () =>
        queries.ofShape(input, (tree, scope) =>
          compilePage(context, parseListQuery(tree, scope), ofLists, scope.bindings?.count()),
        );
      const { compiled, values } = await planned(client, plan);
      const asked = { compiled, values, client, isKnown };
      return known.answer(
        asked,
        () => compiled.answer({ values, client }),
        ({ tag }) => unchangedPage(tag),
      );
    },
    async flatList(type, { caller, query, format = V4, client }) {
      const question = { kind: 'flat list', type, caller, query, format };
      const plan = () =>
        queries.ofShape(question, (tree, scope) =>
          compileFlatList(context, parseListQuery(tree, scope), ownValue(tree, 'pagination') === undefined, ofLists),
        );
      const { compiled, values } = await planned(client, plan);
      return compiled.answer({ values, client });
    },
    async count(type, { caller, query, format = V4, client }) {
      const input = { kind: 'count', type, caller, query, format };
      const plan = () =>
        queries.ofShape(input, (tree, scope) => {
          const parsed = parseListQuery(tree, scope);
          const read = compileCountRead(context, parsed, parsed.locale ?? defaultLocale);
          return { ...read, cost: pricedBy(basis, countCost, parsed) };
        });
      const { compiled, values } = await planned(client, plan);
      return compiled.count({ values, client });
    },
    async one(type, { caller, query, format = V4, client, isKnown }, key) {
      const kind = typeof key === 'number' ? 'one' : 'document';
      const plan = () =>
        queries.ofShape({ kind, type, caller, query, format }, (tree, scope) => {
          const parsed = parseEntryQuery(tree, scope);
          const ofDocument = kind === 'document' ? (oneLocale(parsed.locale) ?? defaultLocale) : undefined;
          return { ...compileEntryRead(context, parsed, ofDocument), cost: pricedBy(basis, entryCost, parsed) };
        });
      const { compiled, values } = await planned(client, plan);
      const isKey = typeof key !== 'number' || isEntryId(key);
      if (!isKey) return undefined;
      const named = typeof key === 'number' ? key : key.documentId;
      return answerOf(known, compiled, { key: named, run: { values, client }, isKnown });
    },
    async matching(type, { caller, query, format = V4, client }, ids, executor) {
      const { compiled, values } = queries.ofShape({ kind: 'matching', type, caller, query, format }, (tree, scope) =>
        compileMatchingRead(context, parseEntryQuery(tree, scope), { kind: 'all' }),
      );
      return compiled.matching(ids, { values, client }, executor);
    },
    async single(type, { caller, query, format = V4, client, isKnown }) {
      const plan = () =>
        queries.ofShape({ kind: 'single', type, caller, query, format }, (tree, scope) => {
          const parsed = parseEntryQuery(tree, scope);
          const locale = format.rules === 'v5' ? oneLocale(parsed.locale) : parsed.locale;
          const read = compileSingleRead(context, parsed, locale ?? defaultLocale);
          return { ...read, cost: pricedBy(basis, entryCost, parsed) };
        });
      const { compiled, values } = await planned(client, plan);
      return answerOf(known, compiled, { key: 0, run: { values, client }, isKnown });
    },
    async selection(type, { caller, query, format = V4, client }, state) {
      const of = state === undefined ? '' : ` ${state}`;
      const input = {
        kind: `${type.kind === 'singleType' ? 'single ' : ''}selection${of}`,
        type,
        caller,
        query,
        format,
      };
      const plan = () => ({
        compiled: queries.ofQuery(input, (tree, scope) => {
          if (state === 'list') {
            const parsed = parseListQuery(tree, scope);
            return { parsed, cost: pricedBy(basis, listCost, parsed), size: 1 };
          }
          const parsed = parseEntryQuery(tree, scope, state);
          return { parsed, cost: pricedBy(basis, entryCost, parsed), size: 1 };
        }),
      });
      const { parsed } = (await planned(client, plan)).compiled;
      return { query: parsed, ...selectedEntries(context, { types, api, client }) };
    },
    parsed: async (type, { caller, query, format = V4 }, of) =>
      parsedBy(queries, { kind: `open ${of}`, type, caller, query, format }, of),
    async check(type, { caller, query, format = V4, client }) {
      const input = { kind: 'write', type, caller, query, format };
      const plan = () => ({ compiled: queries.ofQuery(input, checkedQuery(context, basis)) });
      return (await planned(client, plan, WRITE_COST)).compiled;
    },
    async entry(executor, checked, id) {
      const entry = await findEntry(executor, checked, id);
      if (entry === undefined) throw new NotFoundError();
      return entry;
    },
    findEntry,
  };
}
