/** Reads: from a query string to the JSON text of the answer, by one statement. */
import type { ApiSettings, ContentType, ContentTypes } from '../content-type.ts';
import type { Database, Executor } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import { NotFoundError } from '../errors.ts';
import type { Caller } from '../policy/caller.ts';
import { compileCount } from './compile/compile-count.ts';
import { compileList } from './compile/compile-list.ts';
import type { ListPage, ListStatement } from './compile/compile-list.ts';
import { compileOne, compileSingle } from './compile/compile-read.ts';
import type { EntryStatement, SingleStatement } from './compile/compile-read.ts';
import { pageMeta } from './page-meta.ts';
import { rowsOf } from './pagination.ts';
import { parseQueryString } from './parse-query-string.ts';
import { createQueryCache } from './query-cache.ts';
import type { Sized } from './query-cache.ts';
import { createAllowList } from './readable-attributes.ts';
import type { LocaleFilter, PageMeta } from './read-query.ts';
import { parseEntryQuery, parseListQuery } from './top-level.ts';
import type { QueryScope } from './top-level.ts';

/** A query that was found good, for a request that writes: how its entry is answered. */
export interface CheckedQuery extends Sized {
  /** `locale` of the query as it came, well-formed but not looked up; undefined when absent or `all`. */
  readonly locale: string | undefined;
  readonly entry: EntryStatement;
}

interface CompiledList extends Sized {
  readonly list: ListStatement;
  readonly count: Sql;
  readonly page: PageMeta;
}

/** An id, or how to find it once the query is known to be good. */
type IdSource = number | (() => number);

export interface Reader {
  /** The body of a list, in UTF-8: `{"data":[…],"meta":{"pagination":{…}}}`. */
  list(type: ContentType, caller: Caller, query: string): Promise<Buffer>;
  /** One entry; undefined if there is none that the query lets through. */
  one(executor: Executor, type: ContentType, caller: Caller, query: string, id: IdSource): Promise<string | undefined>;
  /** The entry of a single type; undefined if there is none that the query lets through. */
  single(executor: Executor, type: ContentType, caller: Caller, query: string): Promise<string | undefined>;
  /** Refuses a bad query before anything is written. */
  check(type: ContentType, caller: Caller, query: string): CheckedQuery;
  /** An entry that was just written, also a draft, whatever the filters say. Throws NotFoundError if there is none. */
  entry(executor: Executor, checked: CheckedQuery, id: number): Promise<string>;
  /** The same; undefined if there is none. */
  findEntry(executor: Executor, checked: CheckedQuery, id: number): Promise<string | undefined>;
}

async function textOf(executor: Executor, { statement, textOf }: SingleStatement): Promise<string | undefined> {
  const row = await executor.get(statement);
  return row && textOf(row);
}

/** One entry, by its id. */
function entryText(executor: Executor, entry: EntryStatement, id: number): Promise<string | undefined> {
  return textOf(executor, { statement: entry.statement(id), textOf: entry.textOf });
}

/** The total, without counting where the page itself tells: it is not full, and not beyond the end. */
async function totalOf(database: Database, { count, page }: CompiledList, { rows, total }: ListPage): Promise<number> {
  if (total !== undefined) return total;
  const { start, limit } = rowsOf(page);
  if (rows < limit && (rows > 0 || start === 0)) {
    return start + rows;
  }
  return Number((await database.get(count))?.['total']);
}

const LIST_START = Buffer.from('{"data":');

async function listBody(database: Database, compiled: CompiledList): Promise<Buffer> {
  const { list, page } = compiled;
  const shown = list.pageOf(await database.all(list.statement));
  const total = page.withCount ? await totalOf(database, compiled, shown) : undefined;
  const meta = JSON.stringify({ pagination: pageMeta(page, total) });
  return Buffer.concat([LIST_START, shown.data, Buffer.from(`,"meta":${meta}}`)]);
}

/**
 * The reader of a server. All of its functions throw BadRequestError for a query that can't be understood or that names
 * what the caller may not use; they answer JSON text, of `data` where not said otherwise.
 */
export function createReader(options: {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly api: ApiSettings;
}): Reader {
  const { database, types, api } = options;
  const { dialect } = database;
  const allowed = createAllowList(types);
  const cache = createQueryCache();
  const defaultLocale: LocaleFilter = { kind: 'locale', locale: types.locales[0] ?? '' };

  /** Remembers what is compiled of a query string, by the kind of read. */
  function compiled<Compiled extends Sized>(
    kind: 'list' | 'one' | 'single' | 'write',
    scope: Pick<QueryScope, 'type' | 'caller'>,
    query: string,
    compile: (scope: QueryScope) => Compiled,
  ): Compiled {
    return cache.remember(scope.caller.permissions, `${kind} ${scope.type.uid}?${query}`, () =>
      compile({ ...scope, allowed, api }),
    );
  }

  function compileListOf(query: string, scope: QueryScope): CompiledList {
    const parsed = parseListQuery(parseQueryString(query), scope);
    const locale = parsed.locale ?? defaultLocale;
    const [list, count] = [compileList(dialect, parsed, locale), compileCount(dialect, parsed, locale)];
    return { list, count, page: parsed.page, size: list.statement.text.length + count.text.length };
  }

  function check(type: ContentType, caller: Caller, query: string): CheckedQuery {
    return compiled('write', { type, caller }, query, (scope) => {
      const parsed = parseEntryQuery(parseQueryString(query), scope);
      const entry = compileOne(dialect, parsed, { anyState: true });
      const locale = parsed.locale?.kind === 'locale' ? parsed.locale.locale : undefined;
      return { entry, locale, size: entry.text.length };
    });
  }

  return {
    async list(type, caller, query) {
      return listBody(
        database,
        compiled('list', { type, caller }, query, (scope) => compileListOf(query, scope)),
      );
    },
    async one(executor, type, caller, query, id) {
      const { entry } = compiled('one', { type, caller }, query, (scope) => {
        const parsed = parseEntryQuery(parseQueryString(query), scope);
        const entry = compileOne(dialect, parsed, { anyState: false });
        return { entry, size: entry.text.length };
      });
      return entryText(executor, entry, typeof id === 'number' ? id : id());
    },
    async single(executor, type, caller, query) {
      const { single } = compiled('single', { type, caller }, query, (scope) => {
        const parsed = parseEntryQuery(parseQueryString(query), scope);
        const single = compileSingle(dialect, parsed, parsed.locale ?? defaultLocale);
        return { single, size: single.statement.text.length };
      });
      return textOf(executor, single);
    },
    check,
    async entry(executor, checked, id) {
      const text = await entryText(executor, checked.entry, id);
      if (text === undefined) {
        throw new NotFoundError();
      }
      return text;
    },
    findEntry: (executor, checked, id) => entryText(executor, checked.entry, id),
  };
}
