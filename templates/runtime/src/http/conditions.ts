/** Conditional requests (RFC 9110, section 13): what a request says of the answers and versions that its caller knows. */
import type { Context } from 'koa';
import { BadRequestError, PreconditionRequiredError } from '../contract/errors.ts';
import type { Expected } from '../query/entry-request.ts';
import * as state from './state.ts';

/** An entity tag, and what follows it in a list. Weak ones are taken too: proxies that compress make weak ones of strong ones. */
const TAG = /\s*(?:W\/)?"(?<tag>[\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/uy;
/** More than that nobody has; a list is looked through for each request. */
const MAX_TAGS = 100;

/** The tags of a header without their quotes; undefined for what is no list of tags. */
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

/** The same. Throws BadRequestError for what is no list of tags. */
function tagsOf(header: string, value: string): 'any' | readonly string[] {
  const tags = tagsIn(value);
  if (tags) return tags;
  const form = `* or the ETag of an answer, in its quotes, such as "3-Q1w2E3r4T5y6"`;
  throw new BadRequestError(
    `Invalid header ${header}: it must be ${form}; or at most ${MAX_TAGS} of them, with commas between`,
  );
}

/** The versions that tags are of; one of another server is of none. */
function versionsOf(tags: 'any' | readonly string[]): 'any' | readonly number[] {
  if (tags === 'any') return tags;
  return tags.flatMap((tag) => {
    const version = /^(?<version>\d{1,10})(?:-|$)/u.exec(tag)?.groups?.['version'];
    return version === undefined ? [] : [Number(version)];
  });
}

/** The tags of answers that a request says it has. A header that makes no sense costs a client its cache, and no more. */
export function knownTagsOf(ctx: Context): readonly string[] | undefined {
  const value = ctx.req.headers['if-none-match'];
  const tags = value === undefined ? undefined : tagsIn(value);
  return tags === 'any' ? undefined : tags;
}

/** What a request that writes expects of its entry. Throws BadRequestError for headers that make no sense. */
function expectedBy(ctx: Context): Expected | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = ctx.req.headers;
  if (match === undefined && noneMatch === undefined) return undefined;
  return {
    ...(match !== undefined && { match: versionsOf(tagsOf('If-Match', match)) }),
    ...(noneMatch !== undefined && { noneMatch: versionsOf(tagsOf('If-None-Match', noneMatch)) }),
  };
}

/** The same, where the settings may ask for it. Throws PreconditionRequiredError where they do, and it is missing. */
export function expectedChange(ctx: Context): Expected | undefined {
  const expected = expectedBy(ctx);
  const isSaid = expected?.match !== undefined || (ctx.method === 'PUT' && expected?.noneMatch === 'any');
  if (!isSaid && state.requireIfMatch.get(ctx) === true) throw new PreconditionRequiredError();
  return expected;
}

/** Whether a request says that it has the answer with this tag, or any answer. */
export function isKnown(ctx: Context, tag: string): boolean {
  const value = ctx.req.headers['if-none-match'];
  const tags = value === undefined ? undefined : tagsIn(value);
  return tags === 'any' || tags?.includes(tag) === true;
}
