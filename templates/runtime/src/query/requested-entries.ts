/** Which entries a path asks for: `/api/articles?sort=title`, `/api/articles/7`, `/api/homepage`. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';

/** A request for a list, an entry, or the entry of a single type. */
export interface RequestedEntries {
  readonly type: ContentType;
  /** A number, or a document id. Undefined for a list and a single type. */
  readonly id: string | undefined;
  readonly query: string;
}

const ID = /^[a-z0-9]{1,40}$/iu;

function segmentOf({ kind, uid, pluralName }: ContentType): string {
  return kind === 'singleType' ? uid : pluralName;
}

/** Undefined if the path leads to no entries. `/api` may be left out. */
export function requestedEntries({ types }: ContentTypes, path: string): RequestedEntries | undefined {
  const [, before = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/u.exec(path) ?? [];
  const [first, segment, id, ...rest] = before
    .replace(/^\/api(?=\/)/u, '')
    .replace(/(?<=.)\/$/u, '')
    .split('/');
  if (first !== '' || rest.length > 0 || (id !== undefined && !ID.test(id))) return undefined;
  const type = Object.values(types).find((one) => segmentOf(one) === segment);
  if (!type || (type.kind === 'singleType' && id !== undefined)) return undefined;
  return { type, id, query };
}

/** The paths of all lists. */
export function listPaths({ types }: ContentTypes): readonly string[] {
  return Object.values(types)
    .filter(({ kind }) => kind === 'collectionType')
    .map(({ pluralName }) => `/api/${pluralName}`);
}
