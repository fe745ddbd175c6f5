/** Reads: from a query string to the JSON text of the answer. */
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Database, Executor } from '../database/database.ts';
import { NotFoundError } from '../contract/errors.ts';
import type { EntryRequest } from './entry-request.ts';
import type { Caller } from '../contract/policy/caller.ts';
import type { EntryStatement } from './compile/compile-read.ts';
import { compileEntryRead, compileSingleRead, compileWritten } from './entry-read.ts';
import { compileListRead } from './list-read.ts';
import type { ReadContext } from './measured-text.ts';
import { parseQueryString } from './parse-query-string.ts';
import { createQueryCache } from './query-cache.ts';
import type { Sized } from './query-cache.ts';
import { createAllowList } from './readable-attributes.ts';
import type { LocaleFilter } from './read-query.ts';
import { parseEntryQuery, parseListQuery } from './top-level.ts';
import type { QueryScope } from './top-level.ts';

/** A query that was found good, for a request that writes: how its entry is answered. */
export interface CheckedQuery extends Sized {
  /** `locale` of the query as it came, well-formed but not looked up; undefined when absent or `all`. */
  readonly locale: string | undefined;
  readonly entry: EntryStatement;
}

/** An id, or how to find it once the query is known to be good. */
type IdSource = number | (() => number);

export interface Reader {
  /** The body of a list, in UTF-8: `{"data":[…],"meta":{"pagination":{…}}}`. */
  list(type: ContentType, request: EntryRequest): Promise<Buffer>;
  /** One entry; undefined if there is none that the query lets through. */
  one(type: ContentType, request: EntryRequest, id: IdSource): Promise<string | undefined>;
  /** The entry of a single type; undefined if there is none that the query lets through. */
  single(type: ContentType, request: EntryRequest): Promise<string | undefined>;
  /** Refuses a bad query before anything is written. */
  check(type: ContentType, caller: Caller, query: string): CheckedQuery;
  /** An entry that was just written, also a draft, whatever the filters say. Throws NotFoundError if there is none. */
  entry(executor: Executor, checked: CheckedQuery, id: number): Promise<string>;
  /** The same; undefined if there is none. */
  findEntry(executor: Executor, checked: CheckedQuery, id: number): Promise<string | undefined>;
}

async function findEntry(executor: Executor, { entry }: CheckedQuery, id: number): Promise<string | undefined> {
  const row = await executor.get(entry.statement(id));
  if (!row) return undefined;
  return entry.complete ? entry.complete(executor, row) : entry.textOf(row);
}

/**
 * The reader of a server. All of its functions throw BadRequestError for a query that can't be understood, that names what the
 * caller may not use, or whose answer would be larger than the settings allow; they answer JSON text, of `data` where not said
 * otherwise.
 */
export function createReader(options: {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly api: ApiSettings;
}): Reader {
  const { database, types, api } = options;
  const context: ReadContext = { database, limits: api };
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

  function check(type: ContentType, caller: Caller, query: string): CheckedQuery {
    return compiled('write', { type, caller }, query, (scope) => {
      const parsed = parseEntryQuery(parseQueryString(query), scope);
      const entry = compileWritten(context, parsed);
      const locale = parsed.locale?.kind === 'locale' ? parsed.locale.locale : undefined;
      return { entry, locale, size: entry.text.length };
    });
  }

  return {
    async list(type, { caller, query, client }) {
      const read = compiled('list', { type, caller }, query, (scope) => {
        const parsed = parseListQuery(parseQueryString(query), scope);
        return compileListRead(context, parsed, parsed.locale ?? defaultLocale);
      });
      return read.body({ client });
    },
    async one(type, { caller, query, client }, id) {
      const read = compiled('one', { type, caller }, query, (scope) =>
        compileEntryRead(context, parseEntryQuery(parseQueryString(query), scope)),
      );
      return read.text(typeof id === 'number' ? id : id(), { client });
    },
    async single(type, { caller, query, client }) {
      const read = compiled('single', { type, caller }, query, (scope) => {
        const parsed = parseEntryQuery(parseQueryString(query), scope);
        return compileSingleRead(context, parsed, parsed.locale ?? defaultLocale);
      });
      return read.text(0, { client });
    },
    check,
    async entry(executor, checked, id) {
      const text = await findEntry(executor, checked, id);
      if (text === undefined) throw new NotFoundError();
      return text;
    },
    findEntry,
  };
}
