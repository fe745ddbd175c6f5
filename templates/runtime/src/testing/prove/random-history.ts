/** Random requests of what entries were: lists of versions, one of them, what differs, restoring, and reads as of a time. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Key } from '../../entries/typed/any-entries.ts';
import type { Keys } from './content-samples.ts';
import { queryOf, randomRead, type RandomRequest, type RequestContext } from './random-requests.ts';
import { timeOf } from './times.ts';

export interface KnownHistory {
  readonly types: readonly ContentType[];
  /** The numbers of versions, by type and id. */
  readonly versions: ReadonlyMap<string, readonly number[]>;
  readonly last: number;
}

function historyPath(type: ContentType, key: Key | undefined): string {
  return type.kind === 'singleType' ? `/api/${type.uid}/history` : `/api/${type.pluralName}/${key}/history`;
}

/** An entry, its key, and its versions. */
function randomEntry(
  { random }: RequestContext,
  type: ContentType,
  { versions }: KnownHistory,
  keys: Keys | undefined,
) {
  const [id, key] = random.pick([...(keys ?? [])]) ?? [1, undefined];
  return { key, numbers: versions.get(`${type.uid} ${id}`) ?? [1] };
}

export function randomHistoryRead(
  context: RequestContext,
  known: KnownHistory,
  keys: ReadonlyMap<string, Keys>,
): RandomRequest {
  const { random } = context;
  const type = random.pick(known.types);
  const ofType = keys.get(type.uid);
  if (random.once(2)) {
    const read = randomRead(context, type, [...(ofType?.values() ?? [])]);
    return { ...read, query: { ...read.query, asOf: timeOf(1 + random.below(known.last + 2)) } };
  }
  const { key, numbers } = randomEntry(context, type, known, ofType);
  const path = historyPath(type, key);
  if (random.once(4)) return { method: 'GET', path, query: { pagination: { pageSize: 1 + random.below(4) } } };
  const [one, other] = [random.pick(numbers), random.pick(numbers)];
  if (random.once(2)) return { method: 'GET', path: `${path}/${one}..${other}`, query: {} };
  return { method: 'GET', path: `${path}/${one}`, query: queryOf(context, type, false) };
}

/** Restoring an entry that the caller may not find, which must be refused. */
export function refusedRestore({ random }: RequestContext, type: ContentType, key: Key): RandomRequest {
  return { method: 'POST', path: `${historyPath(type, key)}/${1 + random.below(50)}/restore`, query: {} };
}
