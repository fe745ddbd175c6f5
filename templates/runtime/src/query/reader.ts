/** Reads entries: from a query to an answer. */
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import { tooLarge } from '../base/cost/answer-budget.ts';
import type { Database } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import { BadRequestError, NotFoundError } from '../contract/errors.ts';
import { entryAnswer, type EntryAnswer, type ListAnswer, unchangedAnswer } from './answer.ts';
import { createCompiledQueries } from './compiled-queries.ts';
import { type EntryKey, isEntryId } from './entry-id.ts';
import type { EntryRequest } from './entry-request.ts';
import type { FileUrls } from './file-urls.ts';
import { V4 } from './format.ts';
import type { ReportIgnored } from './ignored-names.ts';
import { oneLocale, queryRules } from './query-rules.ts';
import type { EntryStatement } from './compile/compile-read.ts';
import { compileEntryRead, compileSingleRead, compileWritten, type EntryRead } from './entry-read.ts';
import { compileMatchingRead } from './matching-read.ts';
import { compileKeysetListRead } from './keyset-list-read.ts';
import { compileCountRead, compileListRead, type ListRead } from './list-read.ts';
import type { ReadContext, ReadRun } from './read-limits.ts';
import type { Sized } from './query-cache.ts';
import { ownValue } from './query-value.ts';
import type { ListQuery, LocaleFilter, NumberedListQuery } from './read-query.ts';
import { type Selected, selectedEntries } from './selected-entries.ts';
import type { ReadEntry } from './version-tag.ts';
import { parseEntryQuery, parseListQuery } from './top-level.ts';

/** A validated query of a write: determines how the written entry is answered. */
export interface CheckedQuery extends Sized {
  /** The `locale` of the query: well-formed, but not checked against the server's locales. Undefined if absent or `all`. */
  readonly locale: string | undefined;
  /** Whether the query asks for all locales. */
  readonly allLocales: boolean;
  /** Whether the query asks for published entries only. */
  readonly live: boolean;
  /** Whether the query asks to write the draft alone. */
  readonly alone: boolean;
  /** Reads the draft, or the entry if its type has no published versions beside the drafts. */
  readonly entry: EntryStatement;
  /** Reads what is published, if the query asks for that; else the draft. */
  readonly published: () => EntryStatement;
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
  read: EntryRead,
  key: number | string,
  run: ReadRun,
  isKnown: EntryRequest['isKnown'],
): Promise<EntryAnswer | undefined> {
  if (isKnown) {
    const now = await read.version(key, run);
    if (now?.tag !== undefined && isKnown({ version: now.version, tag: now.tag })) return unchangedAnswer(now);
  }
  const entry = await read.entry(key, run);
  return entry && entryAnswer(entry);
}

/** The whole list, up to the maximum number of entries of one answer. Its entries are counted, to detect a longer list. */
function wholeList(query: ListQuery, { maxAnswerEntries }: ApiSettings): NumberedListQuery {
  const page = { kind: 'offset', start: 0, limit: maxAnswerEntries, withCount: true } as const;
  return { ...query, page, maxCount: undefined };
}

function compilePage(context: ReadContext, query: ListQuery, locale: LocaleFilter): ListRead {
  const { page } = query;
  return page.kind === 'keyset'
    ? compileKeysetListRead(context, { ...query, page }, locale)
    : compileListRead(context, { ...query, page }, locale);
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
}): Reader {
  const { database, types, api, reportIgnored, fileUrls } = options;
  const context: ReadContext = { database, limits: api, fileUrls };
  const queries = createCompiledQueries(types, api, reportIgnored, fileUrls?.marks);
  const defaultLocale: LocaleFilter = { kind: 'locale', locale: types.locales[0] ?? '' };

  return {
    async list(type, { caller, query, format = V4, client }) {
      const { compiled, values } = queries.ofShape({ kind: 'list', type, caller, query, format }, (tree, scope) => {
        const parsed = parseListQuery(tree, scope);
        return compilePage(context, parsed, parsed.locale ?? defaultLocale);
      });
      return compiled.answer({ values, client });
    },
    async flatList(type, { caller, query, format = V4, client }) {
      const question = { kind: 'flat list', type, caller, query, format };
      const { compiled, values } = queries.ofShape(question, (tree, scope) => {
        const parsed = parseListQuery(tree, scope);
        const isWhole = ownValue(tree, 'pagination') === undefined;
        const { page } = parsed;
        if (page.kind === 'keyset') {
          throw new BadRequestError('Invalid parameter pagination.after: this list returns no cursors');
        }
        const locale = parsed.locale ?? defaultLocale;
        const read = compileListRead(context, isWhole ? wholeList(parsed, api) : { ...parsed, page }, locale);
        const most = { ...parsed, maxCount: api.maxAnswerEntries + 1 };
        return { ...read, total: isWhole ? compileCountRead(context, most, locale) : undefined };
      });
      const refuseMore = (count: number): void => {
        if (count > api.maxAnswerEntries) throw tooLarge(`${api.maxAnswerEntries} entries`, undefined);
      };
      // Refuse a list that is too long before reading any of it.
      if (compiled.total) refuseMore(await compiled.total.count({ values, client }));
      const answer = await compiled.answer({ values, client });
      // More entries may have been added since the count.
      if (compiled.total) refuseMore(Number(answer.pagination['total'] ?? 0));
      return answer;
    },
    async count(type, { caller, query, format = V4, client }) {
      const { compiled, values } = queries.ofShape({ kind: 'count', type, caller, query, format }, (tree, scope) => {
        const parsed = parseListQuery(tree, scope);
        return compileCountRead(context, parsed, parsed.locale ?? defaultLocale);
      });
      return compiled.count({ values, client });
    },
    async one(type, { caller, query, format = V4, client, isKnown }, key) {
      const kind = typeof key === 'number' ? 'one' : 'document';
      const { compiled, values } = queries.ofShape({ kind, type, caller, query, format }, (tree, scope) => {
        const parsed = parseEntryQuery(tree, scope);
        const ofDocument = kind === 'document' ? (oneLocale(parsed.locale) ?? defaultLocale) : undefined;
        return compileEntryRead(context, parsed, ofDocument);
      });
      const isKey = typeof key !== 'number' || isEntryId(key);
      if (!isKey) return undefined;
      return answerOf(compiled, typeof key === 'number' ? key : key.documentId, { values, client }, isKnown);
    },
    async matching(type, { caller, query, format = V4, client }, ids, executor) {
      const { compiled, values } = queries.ofShape({ kind: 'matching', type, caller, query, format }, (tree, scope) =>
        compileMatchingRead(context, parseEntryQuery(tree, scope), { kind: 'all' }),
      );
      return compiled.matching(ids, { values, client }, executor);
    },
    async single(type, { caller, query, format = V4, client, isKnown }) {
      const { compiled, values } = queries.ofShape({ kind: 'single', type, caller, query, format }, (tree, scope) => {
        const parsed = parseEntryQuery(tree, scope);
        const locale = format.rules === 'v5' ? oneLocale(parsed.locale) : parsed.locale;
        return compileSingleRead(context, parsed, locale ?? defaultLocale);
      });
      return answerOf(compiled, 0, { values, client }, isKnown);
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
      const { parsed } = queries.ofQuery(input, (tree, scope) => ({
        parsed: state === 'list' ? parseListQuery(tree, scope) : parseEntryQuery(tree, scope, state),
        size: 1,
      }));
      return { query: parsed, ...selectedEntries(context, { types, api, client }) };
    },
    async check(type, { caller, query, format = V4 }) {
      return queries.ofQuery({ kind: 'write', type, caller, query, format }, (tree, scope) => {
        const parsed = parseEntryQuery(tree, scope, 'draft');
        const entry = compileWritten(context, parsed);
        const locale = parsed.locale?.kind === 'locale' ? parsed.locale.locale : undefined;
        const rules = queryRules(scope.format.rules);
        const live = rules.live(tree, true);
        let published = live && type.draftAndPublish ? undefined : entry;
        return {
          entry,
          published: () => (published ??= compileWritten(context, parseEntryQuery(tree, scope, 'published'))),
          locale,
          allLocales: parsed.locale?.kind === 'all',
          live,
          alone: type.draftAndPublish && rules.draftAlone(tree),
          size: entry.text.length * (type.draftAndPublish ? 2 : 1),
        };
      });
    },
    async entry(executor, checked, id) {
      const entry = await findEntry(executor, checked, id);
      if (entry === undefined) throw new NotFoundError();
      return entry;
    },
    findEntry,
  };
}
