/** React-admin's requests, in the words of the REST API. */
import type { DataProvider, GetListParams, GetListResult, Identifier, RaRecord, SortPayload } from 'react-admin';
import { type ContentType, resourceOf } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import { draftsToo } from './entry-query.ts';
import { backwards, ListLengths, rowsFromEnd } from './list-end.ts';
import { listQuery } from './list-query.ts';
import type { QueryObject } from './query-string.ts';
import { ask } from './request.ts';
import { flat, type RestEntry } from './rest-entry.ts';

/** What the lists of the page say beside page, order and filters. */
export interface ListMeta {
  readonly locale?: string | undefined;
  readonly columns?: readonly string[];
}

/** Whether the role may see drafts of a type. */
export type MayPreview = (type: ContentType) => boolean;

interface ListAnswer {
  readonly data: readonly RestEntry[];
  readonly meta: { readonly pagination: { readonly total?: number } };
}

/** Entries that a server gives in one answer unless its schema says otherwise. */
const LARGEST_PAGE = 100;

function sortOf(sort: SortPayload | undefined): string | undefined {
  return sort && `${sort.field}:${sort.order.toLowerCase()}`;
}

function record(entry: RestEntry): RaRecord {
  return flat(entry);
}

/** An answer with its envelope, or, of users, without. */
function entryOf(answer: { readonly data: RestEntry } | RestEntry): RestEntry {
  return 'data' in answer ? answer.data : answer;
}

export function createDataProvider(index: ModelIndex, mayPreview: MayPreview): DataProvider {
  function typeOf(resource: string): ContentType {
    const type = index.of(resource);
    if (!type) throw new Error(`There is no type at ${resource}`);
    return type;
  }

  /** Users have no envelope, and a request of their own for how many they are. */
  async function usersPage(query: QueryObject): Promise<ListAnswer> {
    const { filters, _q } = query;
    const [data, total] = await Promise.all([
      ask<RestEntry[]>({ path: 'users', query }),
      ask<number>({ path: 'users/count', query: { filters, _q } }),
    ]);
    return { data, meta: { pagination: { total } } };
  }

  async function page(resource: string, query: QueryObject, number: number, pageSize: number): Promise<ListAnswer> {
    const paged = { ...query, pagination: { page: number, pageSize } };
    return resource === 'users' ? await usersPage(paged) : await ask<ListAnswer>({ path: resource, query: paged });
  }

  function queryOf(resource: string, { sort, filter, meta }: Partial<GetListParams>): QueryObject {
    const type = typeOf(resource);
    const { locale, columns = type.columns } = (meta ?? {}) as ListMeta;
    const { q, ...filters } = (filter ?? {}) as Record<string, unknown>;
    return {
      ...listQuery(type, columns, index),
      ...draftsToo(type, mayPreview(type)),
      ...(type.localized && locale !== undefined && { locale }),
      sort: sortOf(sort),
      ...(typeof q === 'string' && q !== '' && { _q: q }),
      ...(Object.keys(filters).length > 0 && { filters: filters as QueryObject }),
    };
  }

  const lengths = new ListLengths();

  /** A page near the end; undefined where it is not near, where the list has another length by now, and where pages are shorter. */
  async function pageFromEnd(
    resource: string,
    query: QueryObject,
    { sort, pagination }: Partial<GetListParams>,
  ): Promise<GetListResult | undefined> {
    const total = lengths.lengthOf(resource, query);
    const { maxCount = Infinity } = index.model;
    if (!sort || !pagination || total === undefined || total >= maxCount) return undefined;
    const rows = rowsFromEnd(total, pagination.page, pagination.perPage);
    if (!rows) return undefined;
    const { data, meta } = await ask<ListAnswer>({
      path: resource,
      query: { ...query, sort: backwards(sort), pagination: { ...rows } },
    });
    const { total: now = total } = meta.pagination;
    lengths.remember(resource, query, now);
    return now === total && data.length === rows.limit ? { data: data.map(record).reverse(), total } : undefined;
  }

  /** Where more is wanted than one answer holds, as for an export, in several. */
  async function getList(resource: string, params: Partial<GetListParams>): Promise<GetListResult> {
    const { page: number = 1, perPage = 25 } = params.pagination ?? {};
    const query = queryOf(resource, params);
    const fromEnd = await pageFromEnd(resource, query, params);
    if (fromEnd) return fromEnd;
    const first = await page(resource, query, number, Math.min(perPage, LARGEST_PAGE));
    const { total = first.data.length } = first.meta.pagination;
    if (resource !== 'users') lengths.remember(resource, query, total);
    const data = [...first.data];
    while (data.length < Math.min(total, perPage) && perPage > LARGEST_PAGE) {
      const next = await page(resource, query, data.length / LARGEST_PAGE + 1, LARGEST_PAGE);
      if (next.data.length === 0) break;
      data.push(...next.data);
    }
    return { data: data.map(record), total };
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

  /** One request each, as there is none for several; a server is not asked for all of them at once. */
  async function eachOf(ids: readonly Identifier[], work: (id: Identifier) => Promise<unknown>): Promise<Identifier[]> {
    const waiting = [...ids];
    const worker = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await work(id);
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    return [...ids];
  }

  const provider: DataProvider = {
    getList: async (resource: string, params: GetListParams) => await getList(resource, params),
    getOne: async (resource, { id }) => {
      const type = typeOf(resource);
      const query = draftsToo(type, mayPreview(type));
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
    delete: async (resource, { id }) => ({ data: await write('DELETE', pathOf(resource, id)) }),
    deleteMany: async (resource, { ids }) => ({
      data: await eachOf(ids, (id) => write('DELETE', pathOf(resource, id))),
    }),
  } as DataProvider;
  return provider;
}
