/** Responds with entries and their ETag, or with 304 if the client has them already. */
import type { Context } from 'koa';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import { shortHash } from '../query/version-tag.ts';
import { entityTag, matchesIfNoneMatch } from './conditions.ts';

/** Default `Cache-Control` of responses that depend on the caller. */
export const PRIVATE = 'private, no-store';

/** Lets caches store the response, if they revalidate it each time. */
function mayBeKept(ctx: Context): void {
  const given = ctx.res.getHeader('Cache-Control');
  if (given === undefined) ctx.res.setHeader('Cache-Control', 'no-cache');
  if (given === PRIVATE) ctx.res.setHeader('Cache-Control', 'private, no-cache');
}

/** What is sent: of an entry, of a list, or of anything that only its own bytes identify. */
type Answer = EntryAnswer | (Pick<ListAnswer, 'tag'> & { readonly body: Buffer | string });

/** The ETag without its quotes; undefined if there is no entry. */
function tagOf(ctx: Context, answer: Answer): string | undefined {
  const isEntry = 'version' in answer;
  if (isEntry && answer.version === undefined) return undefined;
  return entityTag(ctx, answer.tag ?? shortHash(answer.body), isEntry ? answer.version : undefined);
}

/** Sets body, status and `ETag`; 304 without a body for a read whose `If-None-Match` has the tag. */
export function reply(ctx: Context, answer: Answer, status = 200): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  // A deleted entry has no version any more.
  const tag = ctx.method === 'DELETE' ? undefined : tagOf(ctx, answer);
  if (tag !== undefined) ctx.res.setHeader('ETag', `"${tag}"`);
  if (isRead) mayBeKept(ctx);
  if (isRead && tag !== undefined && matchesIfNoneMatch(ctx, tag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  ctx.body = answer.body;
}
