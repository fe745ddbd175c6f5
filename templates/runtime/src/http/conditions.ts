/** Conditional requests (RFC 9110, section 13): parses `If-Match` and `If-None-Match`. */
import type { Context } from 'koa';
import { BadRequestError, PreconditionRequiredError } from '../contract/errors.ts';
import type { Preconditions } from '../query/entry-request.ts';
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
  const form = `* or the ETag of a response, with its quotes, such as "3-Q1w2E3r4T5y6"`;
  throw new BadRequestError(
    `Invalid header ${header}: it must be ${form}, or at most ${MAX_TAGS} ETags separated by commas`,
  );
}

/** The versions of entries in tags. Tags without a version are ignored: they are from another server. */
function versionsOf(tags: 'any' | readonly string[]): 'any' | readonly number[] {
  if (tags === 'any') return tags;
  return tags.flatMap((tag) => {
    const version = /^(?<version>\d{1,10})(?:-|$)/u.exec(tag)?.groups?.['version'];
    return version === undefined ? [] : [Number(version)];
  });
}

/** The tags in `If-None-Match` of a read. A malformed header is ignored: it only costs the client its cache. */
export function knownTagsOf(ctx: Context): readonly string[] | undefined {
  const value = ctx.req.headers['if-none-match'];
  const tags = value === undefined ? undefined : tagsIn(value);
  return tags === 'any' ? undefined : tags;
}

/** The preconditions of a write. Throws BadRequestError for malformed headers. */
function expectedBy(ctx: Context): Preconditions | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = ctx.req.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return {
    ...(match !== undefined && { match: versionsOf(tagsOf('If-Match', match)) }),
    ...(noneMatch !== undefined && { noneMatch: versionsOf(tagsOf('If-None-Match', noneMatch)) }),
  };
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
