/** react-admin's data provider for the REST API. */
import {
  type DataProvider,
  type GetListParams,
  type GetListResult,
  HttpError,
  type Identifier,
  type RaRecord,
  type SortPayload,
} from 'react-admin';
import { type ContentType, resourceOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { ApiRequest } from './api-request.ts';
import { CONDITIONS_FILTER, conditionsIn, conditionsQuery } from './conditions.ts';
import { draftsQuery } from './entry-query.ts';
import { MODIFIED_KEY, modifiedQuery, STATE_FILTER, stateQuery } from './entry-state.ts';
import { PERMITTED_FILTER } from './permitted-entries.ts';
import { ListKeys, type PagedList } from './list-keys.ts';
import { listQuery } from './list-query.ts';
import { VIEW_FILTER, viewFilters, viewIn } from './list-views.ts';
import type { QueryObject, QueryValue } from './query-string.ts';
import { ask, LostResponseError } from './request.ts';
import { flat, type RestEntry } from './rest-entry.ts';
import { eachOf } from './some-failed-error.ts';

/** `meta` of list queries. */
export interface ListMeta {
  readonly locale?: string | undefined;
  readonly columns?: readonly string[];
  /** Whether the records say which entries are modified. */
  readonly withStates?: boolean;
}

/** Who asks. */
export interface Asking {
  readonly userId: number;
  /** Whether the role may see drafts of a type. */
  mayPreview(type: ContentType): boolean;
}

interface ListAnswer {
  readonly data: readonly RestEntry[];
  readonly meta: { readonly pagination: { readonly total?: number; readonly next?: string | null } };
}

interface Page {
  readonly records: readonly RaRecord[];
  readonly total: number;
  readonly hasNext: boolean;
}

/** Default maximum page size of a server. */
const MAX_PAGE_SIZE = 100;

/** Counting this many entries is fast; longer lists have no page numbers. */
const MAX_COUNTED = 10_000;

function sortOf(sort: SortPayload | undefined): string | undefined {
  return sort && `${sort.field}:${sort.order.toLowerCase()}`;
}

function record(entry: RestEntry): RaRecord {
  return flat(entry);
}

/** The entry in a response; responses for users have no `data` envelope. */
function entryOf(answer: { readonly data: RestEntry } | RestEntry): RestEntry {
  return 'data' in answer ? answer.data : answer;
}

/** The response to a deletion. If it is lost, `deleted`, once `read` finds that the entry is gone. */
async function unlessGone(deletion: Promise<RaRecord>, deleted: RaRecord, read: ApiRequest): Promise<RaRecord> {
  try {
    return await deletion;
  } catch (error) {
    if (error instanceof LostResponseError && (await isMissing(read))) return deleted;
    throw error;
  }
}

async function isMissing(read: ApiRequest): Promise<boolean> {
  try {
    await ask(read);
    return false;
  } catch (error) {
    return error instanceof HttpError && error.status === 404;
  }
}

/** Marks the entries whose draft differs from what is published: one more request for each page with published entries. */
async function withStates(resource: string, records: readonly RaRecord[], locale: QueryValue): Promise<RaRecord[]> {
  const ids = records.filter(({ publishedAt }) => typeof publishedAt === 'string').map(({ id }) => id);
  if (ids.length === 0) return [...records];
  const { data } = await ask<ListAnswer>({ path: resource, query: modifiedQuery(ids, locale) });
  const modified = new Set<Identifier>(data.map(({ id }) => id));
  return records.map((one) => ({ ...one, [MODIFIED_KEY]: modified.has(one.id) }));
}

/** The filters of a list: those of the API, and those of the panel that become other parameters. */
function filterParts(type: ContentType, filter: unknown, user: number) {
  const {
    q,
    [STATE_FILTER]: state,
    [PERMITTED_FILTER]: permitted,
    [CONDITIONS_FILTER]: _conditions,
    [VIEW_FILTER]: _view,
    ...others
  } = (filter ?? {}) as Record<string, unknown>;
  const view = viewIn(type, filter);
  const chosen = { ...others, ...conditionsQuery(conditionsIn(filter)) } as QueryObject;
  const ofView = view ? viewFilters(view, { user, now: new Date() }) : {};
  const both = [ofView, chosen].filter((filters) => Object.keys(filters).length > 0);
  const filters = both.length > 1 ? { $and: both } : both[0];
  // What the editor chooses within a view is one of its entries.
  return { q, state: state ?? view?.state, permitted, filters };
}

export function createDataProvider(index: ModelIndex, { userId, mayPreview }: Asking): DataProvider {
  function typeOf(resource: string): ContentType {
    const type = index.of(resource);
    if (!type) throw new Error(`There is no type at ${resource}`);
    return type;
  }

  /** User lists have no envelope, and a separate endpoint for the count. */
  async function usersPage(query: QueryObject): Promise<ListAnswer> {
    const { filters, _q } = query;
    const [data, total] = await Promise.all([
      ask<RestEntry[]>({ path: 'users', query }),
      ask<number>({ path: 'users/count', query: { filters, _q } }),
    ]);
    return { data, meta: { pagination: { total } } };
  }

  function queryOf(resource: string, { sort, filter, meta }: Partial<GetListParams>): QueryObject {
    const type = typeOf(resource);
    const { locale, columns = type.columns } = (meta ?? {}) as ListMeta;
    const { q, state, permitted, filters } = filterParts(type, filter, userId);
    return {
      ...listQuery(type, columns, index),
      ...draftsQuery(type, mayPreview(type)),
      ...(mayPreview(type) && stateQuery(state)),
      ...(type.localized && locale !== undefined && { locale }),
      sort: sortOf(sort),
      ...(typeof q === 'string' && q !== '' && { _q: q }),
      ...(typeof permitted === 'string' && { permitted }),
      ...(filters && { filters }),
    };
  }

  const maxCounted = Math.min(index.model.maxCount ?? MAX_COUNTED, MAX_COUNTED);
  const keys = new ListKeys();

  /** Reads a page by keyset pagination if the previous page was read, otherwise by number. */
  async function entriesPage(list: PagedList, number: number): Promise<ListAnswer> {
    const { resource, query, pageSize } = list;
    const read = async (place: QueryObject): Promise<ListAnswer> => {
      const pagination = { ...place, pageSize, withCount: true, maxCount: maxCounted };
      return await ask<ListAnswer>({ path: resource, query: { ...query, pagination } });
    };
    const after = keys.keyOf(list, number);
    if (after === undefined) return await read({ page: number });
    try {
      const answer = await read({ after });
      keys.remember(list, number + 1, answer.meta.pagination.next);
      return answer;
    } catch (error) {
      // Lists sorted by long texts do not support keyset pagination.
      if (error instanceof HttpError && error.status === 400) return await read({ page: number });
      throw error;
    }
  }

  async function page(list: PagedList, number: number): Promise<Page> {
    const { resource, query, pageSize } = list;
    const { data, meta } =
      resource === 'users'
        ? await usersPage({ ...query, pagination: { page: number, pageSize } })
        : await entriesPage(list, number);
    const { total = data.length, next } = meta.pagination;
    const records = data.map(record);
    return { records, total, hasNext: next === undefined ? records.length === pageSize : next !== null };
  }

  /** Reads several pages if more entries are requested than one response can have, as for an export. Long lists have no total. */
  async function getList(resource: string, params: Partial<GetListParams>): Promise<GetListResult> {
    const { page: number = 1, perPage = 25 } = params.pagination ?? {};
    const list = { resource, query: queryOf(resource, params), pageSize: Math.min(perPage, MAX_PAGE_SIZE) };
    const { withStates: isMarked = false } = (params.meta ?? {}) as ListMeta;
    let read = await page(list, number);
    const { total } = read;
    const mark = async ({ records }: Page): Promise<readonly RaRecord[]> =>
      isMarked ? await withStates(resource, records, list.query['locale']) : records;
    const data = [...(await mark(read))];
    for (let next = number + 1; read.hasNext && data.length < perPage; next += 1) {
      read = await page(list, next);
      data.push(...(await mark(read)));
    }
    if (resource === 'users' || total < maxCounted) return { data, total };
    return { data, pageInfo: { hasNextPage: read.hasNext, hasPreviousPage: number > 1 } };
  }

  function pathOf(resource: string, id: Identifier): string {
    const type = typeOf(resource);
    return type.kind === 'single' ? resource : `${resourceOf(type)}/${id}`;
  }

  function bodyOf(resource: string, data: unknown): unknown {
    return resource === 'users' ? data : { data };
  }

  async function write(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<RaRecord> {
    const answer = await ask<{ readonly data: RestEntry } | RestEntry>({ method, path, body });
    return record(entryOf(answer));
  }

  async function remove(resource: string, id: Identifier): Promise<RaRecord> {
    const type = typeOf(resource);
    const path = pathOf(resource, id);
    return await unlessGone(write('DELETE', path), { id }, { path, query: draftsQuery(type, mayPreview(type)) });
  }

  const provider: DataProvider = {
    getList: async (resource: string, params: GetListParams) => await getList(resource, params),
    getOne: async (resource, { id }) => {
      const type = typeOf(resource);
      const query = draftsQuery(type, mayPreview(type));
      return { data: record(entryOf(await ask({ path: pathOf(resource, id), query }))) };
    },
    getMany: async (resource, { ids }) => {
      const filter = { id: { $in: ids } };
      return await getList(resource, { filter, pagination: { page: 1, perPage: ids.length } });
    },
    getManyReference: async (resource, { target, id, ...params }) =>
      await getList(resource, { ...params, filter: { ...params.filter, [target]: { id: { $eq: id } } } }),
    create: async (resource, { data }) => ({ data: await write('POST', resource, bodyOf(resource, data)) }),
    update: async (resource, { id, data }) => ({
      data: await write('PUT', pathOf(resource, id), bodyOf(resource, data)),
    }),
    updateMany: async (resource, { ids, data }) => ({
      data: await eachOf(ids, (id) => write('PUT', pathOf(resource, id), bodyOf(resource, data))),
    }),
    delete: async (resource, { id }) => ({ data: await remove(resource, id) }),
    deleteMany: async (resource, { ids }) => ({ data: await eachOf(ids, (id) => remove(resource, id)) }),
  } as DataProvider;
  return provider;
}
