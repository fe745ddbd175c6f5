/** Conditional requests (RFC 9110, section 13): parses `If-Match` and `If-None-Match`. */
import type { Context } from 'koa';
import { BadRequestError, PreconditionRequiredError, UnauthorizedError } from '../contract/errors.ts';
import type { EntryRequest, Preconditions } from '../query/entry-request.ts';
import * as state from './state.ts';

/** An entity tag in a list. Weak ones are accepted as well, because compressing proxies turn strong tags into weak ones. */
const TAG = /\s*(?:W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/uy;
/** Longer lists are rejected: the list is searched in each request. */
const MAX_TAGS = 100;

/** Parses a header into its tags, without quotes; undefined if it is malformed. */
function tagsIn(value: string): 'any' | readonly string[] | undefined {
  if (value.trim() === '*') return 'any';
  const tags: string[] = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < value.length) {
    const tag = TAG.exec(value)?.groups?.['tag'];
    if (tag === undefined || tags.length === MAX_TAGS) return undefined;
    tags.push(tag);
  }
  return tags.length === 0 ? undefined : tags;
}

/** Like `tagsIn`, but throws BadRequestError if the header is malformed. */
function tagsOf(header: string, value: string): 'any' | readonly string[] {
  const tags = tagsIn(value);
  if (tags) return tags;
  const form = `* or the ETag of a response, with its quotes, such as "cDIfi7uOIjsSQtzJKNyosw.Q1w2E3r4T5y6"`;
  throw new BadRequestError(
    `Invalid header ${header}: it must be ${form}, or at most ${MAX_TAGS} ETags separated by commas`,
  );
}

/** The versions of entries in tags. Tags without a version are ignored: they are from another server. */
function versionsOf(ctx: Context, tags: 'any' | readonly string[]): 'any' | readonly number[] {
  return tags === 'any' ? tags : tags.flatMap((tag) => state.entryTags.get(ctx)?.versionOf(tag) ?? []);
}

function written(ctx: Context, path: string, version: number): string {
  const caller = state.caller.get(ctx);
  const permissions = caller === undefined || caller instanceof UnauthorizedError ? undefined : caller.permissions;
  return state.entryTags.get(ctx)?.write(path, version, permissions) ?? '';
}

/** A version of the entry in the path of the request, as its ETag for this caller starts with it. */
export function versionIn(ctx: Context, version: number): string {
  return written(ctx, ctx.path, version);
}

/** The ETag, without quotes, of an answer that `tag` identifies. `version` is undefined for a list. */
export function entityTag(ctx: Context, tag: string, version: number | undefined): string {
  return version === undefined ? written(ctx, tag, 0) : `${versionIn(ctx, version)}.${tag}`;
}

/**
 * Whether the client has an answer, by the tags in `If-None-Match`; undefined without any. A malformed header is ignored: it only
 * costs the client its cache.
 */
export function knownAnswersOf(ctx: Context): EntryRequest['isKnown'] {
  const value = ctx.req.headers['if-none-match'];
  const tags = value === undefined ? undefined : tagsIn(value);
  if (tags === undefined || tags === 'any') return undefined;
  return ({ version, tag }) => tags.includes(entityTag(ctx, tag, version));
}

/** The preconditions of a write. Throws BadRequestError for malformed headers. */
function expectedBy(ctx: Context): Preconditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = ctx.req.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return {
    ...(match !== undefined && { match: versionsOf(ctx, tagsOf('If-Match', match)) }),
    ...(noneMatch !== undefined && { noneMatch: versionsOf(ctx, tagsOf('If-None-Match', noneMatch)) }),
  };
}

/** The precondition of a change that a body contains: its `ifMatch`. Throws as `preconditionsOf` does. */
export function ifMatchOf(ctx: Context, ifMatch: string | undefined): Preconditions | undefined {
  if (ifMatch !== undefined) return { match: versionsOf(ctx, tagsOf('ifMatch', ifMatch)) };
  if (state.requireIfMatch.get(ctx) === true) throw new PreconditionRequiredError();
  return undefined;
}

/** Like `expectedBy`, but throws PreconditionRequiredError if the settings require a precondition that is missing. */
export function preconditionsOf(ctx: Context): Preconditions | undefined {
  const expected = expectedBy(ctx);
  const isSaid = expected?.match !== undefined || (ctx.method === 'PUT' && expected?.noneMatch === 'any');
  if (!isSaid && state.requireIfMatch.get(ctx) === true) throw new PreconditionRequiredError();
  return expected;
}

/** Whether `If-None-Match` has this tag, or `*`. */
export function matchesIfNoneMatch(ctx: Context, tag: string): boolean {
  const value = ctx.req.headers['if-none-match'];
  const tags = value === undefined ? undefined : tagsIn(value);
  return tags === 'any' || tags?.includes(tag) === true;
}
