/** The arguments of lists: filters, sort and pagination, as a query has them. */
import { isObject } from '../../content/relations/entry-ref.ts';
import type { ApiSettings } from '../../contract/api-settings.ts';
import { DEFAULT_LIMIT } from '../../contract/graphql/settings.ts';
import { filtersOf } from './filters.ts';
import { PaginationError } from './errors.ts';
import type { ServerSchema } from './server-schema.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** The schema, and the limits of the server. */
export interface ListScope {
  readonly server: ServerSchema;
  readonly api: ApiSettings;
}

/** The largest page. */
export function mostOf({ server: { settings }, api }: ListScope): number {
  return Math.min(settings.maxLimit ?? api.maxPageSize, api.maxPageSize);
}

function within(size: number, most: number): number {
  return Math.min(Math.max(size, 1), most);
}

function numberIn(object: Arguments, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}

/** A page of a query. Throws PaginationError if it is asked for in two ways at once. */
export function paginationOf(value: unknown, scope: ListScope): Readonly<Record<string, number>> {
  const given = isObject(value) ? value : {};
  const [page, pageSize] = [numberIn(given, 'page'), numberIn(given, 'pageSize')];
  const [start, limit] = [numberIn(given, 'start'), numberIn(given, 'limit')];
  const most = mostOf(scope);
  const initial = within(scope.server.settings.defaultLimit ?? DEFAULT_LIMIT, most);
  if (start === undefined && limit === undefined) {
    if (page === undefined && pageSize === undefined) return { start: 0, limit: initial };
    return { page: Math.max(page ?? 1, 1), pageSize: within(pageSize ?? initial, most) };
  }
  if (page !== undefined || pageSize !== undefined) throw new PaginationError();
  return { start: Math.max(start ?? 0, 0), limit: limit === -1 ? most : within(limit ?? initial, most) };
}

/** The keys of a sort; undefined if there are none. */
export function sortOf(value: unknown): readonly string[] | undefined {
  const given = Array.isArray(value) ? value : [value];
  const keys = given.filter((key): key is string => typeof key === 'string' && key !== '');
  return keys.length === 0 ? undefined : keys;
}

/** The options of a list. `filters`: the name of the type of its filters. */
export function listOptions(
  args: Arguments,
  filters: string,
  scope: ListScope,
): { readonly filters?: object; readonly sort?: readonly string[]; readonly pagination: object } {
  const conditions = filtersOf(args['filters'], filters, scope.server);
  const sort = sortOf(args['sort']);
  return {
    ...(conditions && { filters: conditions }),
    ...(sort && { sort }),
    pagination: paginationOf(args['pagination'], scope),
  };
}

/** A page as answers show it: by number, however it was asked for. */
export function pageInfoOf(pagination: Arguments, asked: unknown): Arguments {
  const total = Number(pagination['total'] ?? 0);
  if (pagination['pageSize'] !== undefined) {
    const pageSize = Number(pagination['pageSize']);
    return { total, page: pagination['page'], pageSize, pageCount: Math.ceil(total / pageSize) };
  }
  const [start, limit] = [Number(pagination['start'] ?? 0), Number(pagination['limit'] ?? 0)];
  const isWhole = isObject(asked) && asked['limit'] === -1;
  const pageSize = isWhole && total <= limit ? total : limit;
  const page = pageSize === 0 ? 1 : Math.floor(start / pageSize) + 1;
  return { total, page, pageSize, pageCount: pageSize === 0 ? 0 : Math.ceil(total / pageSize) };
}
