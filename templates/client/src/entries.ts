/** Sends the requests of content types. */
import { flattenEntry } from './flatten.ts';
import { type ChangeOptions, type Connection, type Request, type RequestOptions, sendForAnswer } from './send.ts';

/** A content type as the client knows it. */
export interface TypeInfo {
  /** Path relative to the base URL, such as `articles`. */
  readonly path: string;
  readonly single?: true;
  readonly localized?: true;
}

export interface ClientSettings extends Connection {
  /** Default locale of requests for localized entries. */
  readonly locale?: string | undefined;
  readonly flatten?: boolean | undefined;
}

interface Query {
  readonly locale?: string;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly filters?: object;
  readonly sort?: unknown;
  readonly pagination?: object;
  readonly pageSize?: number;
}

interface Answered {
  readonly data: unknown;
  readonly meta: { readonly pagination?: { readonly total?: number; readonly next?: string | null } };
}

type Ask = (method: Request['method'], path: string, more: Omit<Request, 'method' | 'path'>) => Promise<Answered>;

function askFor(settings: ClientSettings, { localized }: TypeInfo): Ask {
  return async (method, path, { query, ...more }) => {
    const named: Query =
      localized && settings.locale !== undefined ? { locale: settings.locale, ...query } : { ...query };
    const keyed = method !== 'GET';
    const { body, etag } = await sendForAnswer(settings, { method, path, query: named, keyed, ...more });
    const isEntry = typeof body === 'object' && etag !== undefined;
    const answer = (isEntry ? { ...body, etag } : body) as Answered;
    if (!settings.flatten) return answer;
    const flat = (entry: unknown) => flattenEntry(entry, named.populate);
    return { ...answer, data: Array.isArray(answer.data) ? answer.data.map(flat) : flat(answer.data) };
  };
}

/**
 * Iterates over all entries with keyset pagination: no entry is missed or repeated because of concurrent writes, and the last page costs
 * no more than the first.
 */
async function* walk(ask: Ask, path: string, { pageSize = 100, ...query }: Query, options?: RequestOptions) {
  let after: string | null | undefined = '';
  while (typeof after === 'string') {
    const part = { ...query, pagination: { pageSize, after } };
    const { data, meta }: Answered = await ask('GET', path, { query: part, options });
    yield* data as readonly unknown[];
    after = meta.pagination?.next;
  }
}

/** What is done with the published version of an entry. Types without drafts answer 404. */
function actions<Act>(act: (action: string) => Act) {
  return { publish: act('publish'), unpublish: act('unpublish'), discardDraft: act('discard-draft') };
}

/** Former versions of the entry at a path. Types without a history answer 404. */
function historyAt(ask: Ask, path: string) {
  return {
    versions: (query?: Query, options?: RequestOptions) => ask('GET', `${path}/history`, { query, options }),
    version: (version: number, query?: Query, options?: RequestOptions) =>
      ask('GET', `${path}/history/${version}`, { query, options }),
    differences: (from: number, to: number, query?: Query, options?: RequestOptions) =>
      ask('GET', `${path}/history/${from}..${to}`, { query, options }),
    restore: (version: number, query?: Query, options?: ChangeOptions) =>
      ask('POST', `${path}/history/${version}/restore`, { query, options }),
  };
}

type Id = number | string;
/** The arguments of what is done with former versions. */
type Of<Name extends keyof ReturnType<typeof historyAt>> = Parameters<ReturnType<typeof historyAt>[Name]>;

export function collectionOf(settings: ClientSettings, type: TypeInfo) {
  const ask = askFor(settings, type);
  const { path } = type;
  const at = (id: number | string) => `${path}/${encodeURIComponent(id)}`;
  return {
    find: (query?: Query, options?: RequestOptions) => ask('GET', path, { query, options }),
    findOne: (id: number | string, query?: Query, options?: RequestOptions) => ask('GET', at(id), { query, options }),
    each: (query: Query = {}, options?: RequestOptions) => walk(ask, path, query, options),
    async count(query?: Query, options?: RequestOptions) {
      const counted = { ...query, fields: ['id'], pagination: { pageSize: 1 } };
      return (await ask('GET', path, { query: counted, options })).meta.pagination?.total;
    },
    create: (data: object, query?: Query, options?: RequestOptions) =>
      ask('POST', path, { query, body: { data }, options }),
    update: (id: number | string, data: object, query?: Query, options?: ChangeOptions) =>
      ask('PUT', at(id), { query, body: { data }, options }),
    delete: (id: number | string, query?: Query, options?: ChangeOptions) => ask('DELETE', at(id), { query, options }),
    ...actions(
      (action) => (id: number | string, query?: Query, options?: ChangeOptions) =>
        ask('POST', `${at(id)}/actions/${action}`, { query, options }),
    ),
    schedule: (id: Id, query?: Query, options?: RequestOptions) => ask('GET', `${at(id)}/schedule`, { query, options }),
    setSchedule: (id: Id, body: object, query?: Query, options?: ChangeOptions) =>
      ask('PUT', `${at(id)}/schedule`, { query, body, options }),
    deleted: (query?: Query, options?: RequestOptions) => ask('GET', `${path}/trash`, { query, options }),
    restoreDeleted: (id: Id, options?: ChangeOptions) => ask('POST', `${at(id)}/actions/restore`, { options }),
    versions: (id: Id, ...rest: Of<'versions'>) => historyAt(ask, at(id)).versions(...rest),
    version: (id: Id, ...rest: Of<'version'>) => historyAt(ask, at(id)).version(...rest),
    differences: (id: Id, ...rest: Of<'differences'>) => historyAt(ask, at(id)).differences(...rest),
    restore: (id: Id, ...rest: Of<'restore'>) => historyAt(ask, at(id)).restore(...rest),
  };
}

export function singleOf(settings: ClientSettings, type: TypeInfo) {
  const ask = askFor(settings, type);
  const { path } = type;
  return {
    find: (query?: Query, options?: RequestOptions) => ask('GET', path, { query, options }),
    save: (data: object, query?: Query, options?: ChangeOptions) =>
      ask('PUT', path, { query, body: { data }, options }),
    delete: (query?: Query, options?: ChangeOptions) => ask('DELETE', path, { query, options }),
    ...actions(
      (action) => (query?: Query, options?: ChangeOptions) =>
        ask('POST', `${path}/actions/${action}`, { query, options }),
    ),
    schedule: (query?: Query, options?: RequestOptions) => ask('GET', `${path}/schedule`, { query, options }),
    setSchedule: (body: object, query?: Query, options?: ChangeOptions) =>
      ask('PUT', `${path}/schedule`, { query, body, options }),
    restoreDeleted: (options?: ChangeOptions) => ask('POST', `${path}/actions/restore`, { options }),
    deleted: (query?: Query, options?: RequestOptions) => ask('GET', `${path}/trash`, { query, options }),
    ...historyAt(ask, path),
  };
}
