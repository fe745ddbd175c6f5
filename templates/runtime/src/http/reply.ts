/** Answers a request with entries: with what tells this state of the answer, and with no body where the client has it already. */
import type { Context } from 'koa';
import type { EntryAnswer, ListAnswer } from '../query/answer.ts';
import { shortHash } from '../query/version-tag.ts';
import { isKnown } from './conditions.ts';

/** `Cache-Control` of what is answered to one caller, unless the answer says otherwise. */
export const PRIVATE = 'private, no-store';

/** Caches may keep an answer that has a tag, and ask each time whether it still holds. */
function mayBeKept(ctx: Context): void {
  const given = ctx.res.getHeader('Cache-Control');
  if (given === undefined) ctx.res.setHeader('Cache-Control', 'no-cache');
  if (given === PRIVATE) ctx.res.setHeader('Cache-Control', 'private, no-cache');
}

/** The tag of an answer without its quotes; undefined where there is no entry. */
function tagOf(answer: EntryAnswer | ListAnswer): string | undefined {
  const tag = answer.tag ?? shortHash(answer.body);
  if (!('version' in answer)) return tag;
  return answer.version === undefined ? undefined : `${answer.version}-${tag}`;
}

/** Sets the body, the status and `ETag`; of a request that reads and has the answer already, 304 and no body. */
export function reply(ctx: Context, answer: EntryAnswer | ListAnswer, status = 200): void {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  // What is answered about an entry that was deleted is no state of it.
  const tag = ctx.method === 'DELETE' ? undefined : tagOf(answer);
  if (tag !== undefined) ctx.res.setHeader('ETag', `"${tag}"`);
  if (isRead) mayBeKept(ctx);
  if (isRead && tag !== undefined && isKnown(ctx, tag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  ctx.body = answer.body;
}
