/** Random requests of files: lists, one by its id, what uses it, and its bytes. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Key } from '../../entries/typed/any-entries.ts';
import { queryOf, type RandomRequest, type RequestContext } from './random-requests.ts';

const PATH = '/api/upload/files';

export interface KnownFiles {
  readonly type: ContentType;
  readonly ids: readonly number[];
  /** Addresses without signatures. */
  readonly addresses: readonly string[];
}

export function randomFileRead(context: RequestContext, { type, ids, addresses }: KnownFiles): RandomRequest {
  const { random } = context;
  const get = (path: string, query: object = {}): RandomRequest => ({ method: 'GET', path, query });
  switch (random.below(addresses.length > 0 ? 4 : 3)) {
    case 0:
      return get(PATH, queryOf(context, type, true));
    case 1:
      return get(`${PATH}/${random.pick(ids)}`, random.once(2) ? {} : queryOf(context, type, false));
    case 2:
      return get(`${PATH}/${random.pick(ids)}/uses`);
    default:
      return get(random.pick(addresses));
  }
}

/** Deleting a file that the caller may not find, which must be refused. */
export function refusedFileWrite({ random }: RequestContext, hidden: readonly Key[]): RandomRequest {
  return { method: 'DELETE', path: `${PATH}/${random.pick(hidden)}`, query: {} };
}
