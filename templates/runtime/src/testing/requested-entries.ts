/** The `entries` of a test client: each call is an HTTP request. */
import { loadQs } from '../base/lazy-packages.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { SUBJECTS } from '../contract/policy/permission-name.ts';
import { checkedJson } from './checked-json.ts';

type Query = Readonly<Record<string, unknown>>;

/** Sends a request. */
export type Send = (method: string, path: string, request?: { readonly body?: unknown }) => Promise<Response>;

/** With the question mark; empty without parameters. */
function queryString(query: Query = {}): string {
  return loadQs().stringify(query, { addQueryPrefix: true, encodeValuesOnly: true, allowEmptyArrays: true });
}

function collectionEntries({ pluralName }: ContentType, send: Send) {
  const all = `/api/${pluralName}`;
  const ask = async (method: string, path: string, query?: Query, body?: object) =>
    checkedJson(await send(method, `${path}${queryString(query)}`, body && { body }));
  return {
    find: (query?: Query) => ask('GET', all, query),
    findOne: (id: number, query?: Query) => ask('GET', `${all}/${id}`, query),
    create: (data: unknown, query?: Query) => ask('POST', all, query, { data }),
    update: (id: number, data: unknown, query?: Query) => ask('PUT', `${all}/${id}`, query, { data }),
    delete: (id: number, query?: Query) => ask('DELETE', `${all}/${id}`, query),
  };
}

function singleEntries({ uid }: ContentType, send: Send) {
  const ask = async (method: string, query?: Query, body?: object) =>
    send(method, `/api/${uid}${queryString(query)}`, body && { body });
  return {
    find: async (query?: Query) => checkedJson(await ask('GET', query)),
    async save(data: unknown, query?: Query) {
      const response = await ask('PUT', query, { data });
      return { ...((await checkedJson(response)) as object), created: response.status === 201 };
    },
    delete: async (query?: Query) => checkedJson(await ask('DELETE', query)),
  };
}

/** Uid of a type of the schema → its methods. */
export function requestedEntries({ types }: ContentTypes, send: Send): Readonly<Record<string, object>> {
  const own = Object.values(types).filter(({ uid }) => !SUBJECTS.has(uid));
  return Object.fromEntries(
    own.map((type) => [
      type.uid,
      type.kind === 'singleType' ? singleEntries(type, send) : collectionEntries(type, send),
    ]),
  );
}
