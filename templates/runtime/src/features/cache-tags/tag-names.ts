/** The names of tags: short, and hashed with the secret of the server, so that they tell nothing. */
import { createHmac, hash as hashOnce } from 'node:crypto';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { CacheKind } from '../../contract/events/webhook.ts';
import type { CacheTags } from '../../http/cache-tags.ts';
import type { TagNames } from './changed-tags.ts';
import { exactTypes } from './exact-types.ts';
import { purgeSteps } from './purge-steps.ts';

/** In characters: equal ones of different things only drop an answer too many. */
const LENGTH = 10;
/** Of the tags of entries of one type, before the id: there may be many in an answer. */
const PREFIX = 4;
/** Of how many groups the tags are remembered, and how long their texts are at most: about 2 MB. */
const MOST_GROUPS = 1000;
const LONGEST_GROUP = 100;
/** Next keeps 128 tags of an answer, and those of a page with several answers together. */
const MOST_OF_NEXT = 100;

const HEADERS: Readonly<Record<CacheKind, string>> = {
  varnish: 'xkey',
  fastly: 'Surrogate-Key',
  cloudflare: 'Cache-Tag',
  next: 'Cache-Tag',
};

/** `secret` is the same for all instances of a server. */
export function createCacheTags(
  types: ContentTypes,
  { secret, name, caches }: { readonly secret: string; readonly name: string; readonly caches: readonly CacheKind[] },
): CacheTags {
  const headers = [...new Set(caches.map((cache) => HEADERS[cache]))];
  const key = createHmac('sha256', secret).update(`${name} cache`).digest('base64url');
  // Answers have several: this takes a fraction of the time of an HMAC, and of so few characters nothing can be continued.
  const hash = (text: string, length: number): string =>
    hashOnce('sha256', `${key} ${text}`, 'base64url').slice(0, length);
  const tag = (text: string): string => hash(text, LENGTH);
  // Each group is asked for with several uses, and most writes are of groups like those before.
  const usesWithin = new Map<string, Map<string, string>>();
  function tagOfUse(key: string, within: string): string {
    let uses = usesWithin.get(within);
    if (!uses) {
      uses = new Map();
      if (usesWithin.size >= MOST_GROUPS) usesWithin.clear();
      if (within.length <= LONGEST_GROUP) usesWithin.set(within, uses);
    }
    let found = uses.get(key);
    if (found === undefined) uses.set(key, (found = tag(`use ${key} ${within}`)));
    return found;
  }
  const all = tag('all');
  const uids = Object.keys(types.types);
  const ofTypes = new Map(uids.map((uid) => [uid, tag(`type ${uid}`)]));
  const members = new Map(uids.map((uid) => [uid, tag(`members ${uid}`)]));
  const prefixes = new Map(uids.map((uid) => [uid, hash(`entry ${uid}`, PREFIX)]));
  const exact = exactTypes(types);
  const names: TagNames = {
    all,
    ofType: (uid) => ofTypes.get(uid) ?? all,
    // The id is in the answer, too.
    ofEntry: (uid, id) => `${prefixes.get(uid) ?? ''}${id.toString(36)}`,
    ofMembers: (uid) => members.get(uid) ?? all,
    ofBucket: (uid, key, value) => tag(`bucket ${uid} ${key} ${value}`),
    ofUse: (key, within = '') => tagOfUse(key, within),
  };
  return {
    ...names,
    most: caches.includes('next') ? MOST_OF_NEXT : Infinity,
    headers: headers.length > 0 ? headers : [HEADERS.next],
    purge: purgeSteps(types, exact, names),
  };
}
