/** The names of tags: short, and hashed with the secret of the server, so that they tell nothing. */
import { createHmac } from 'node:crypto';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { CacheKind } from '../../contract/events/webhook.ts';
import type { Subject } from '../../database/write-plan.ts';
import type { CacheTags } from '../../http/cache-tags.ts';

/** In characters: equal ones of different things only drop an answer too many. */
const LENGTH = 10;

const HEADERS: Readonly<Record<CacheKind, string>> = {
  varnish: 'xkey',
  fastly: 'Surrogate-Key',
  cloudflare: 'Cache-Tag',
  next: 'Cache-Tag',
};

/** `secret` is the same for all instances of a server. */
export function createCacheTags(
  { types }: ContentTypes,
  { secret, name, caches }: { readonly secret: string; readonly name: string; readonly caches: readonly CacheKind[] },
): CacheTags {
  const headers = [...new Set(caches.map((cache) => HEADERS[cache]))];
  const tag = (text: string): string =>
    createHmac('sha256', secret).update(`${name} cache ${text}`).digest('base64url').slice(0, LENGTH);
  const all = tag('all');
  const ofTypes = new Map(Object.keys(types).map((uid) => [uid, tag(`type ${uid}`)]));
  const ofType = (uid: string): string => ofTypes.get(uid) ?? all;
  const ofEntry = (uid: string, id: number): string => tag(`entry ${uid} ${id}`);
  return {
    headers: headers.length > 0 ? headers : [HEADERS.next],
    all,
    ofType,
    ofEntry,
    purged({ action, type, id, publication }: Subject) {
      // What visitors may find has changed, or much at once.
      if (action === 'import' || type === 'role' || type === 'user-role') return [all];
      if (!ofTypes.has(type)) return [];
      // Answers with tags show no drafts.
      const isDraft = types[type]?.draftAndPublish === true && publication === undefined;
      if (isDraft && action !== 'delete' && id !== undefined) return [];
      if (id === undefined) return [all];
      return typeof id === 'number' ? [ofType(type), ofEntry(type, id)] : [ofType(type)];
    },
  };
}
