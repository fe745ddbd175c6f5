/** `?marks=true`: drafts for a preview, with what leads from their texts to the fields of the admin panel. */
import type { Context, Middleware } from 'koa';
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, ForbiddenError, UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { SUBJECTS } from '../../contract/policy/permission-name.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import type { Feature, FeatureHost } from '../../http/feature.ts';
import * as state from '../../http/state.ts';
import { V4 } from '../../query/format.ts';
import { parseQuery } from '../../query/parse-query-string.ts';
import { queryRules } from '../../query/query-rules.ts';
import { markedBody, OtherForm } from './mark-entries.ts';

type Host = FeatureHost<unknown>;

/** What a request reads. */
interface Read {
  readonly type: ContentType;
  readonly of: 'one' | 'list';
  readonly caller: Caller;
}

/** Undefined for requests that read no entries of the schema's types. */
function readOf(ctx: Context, { definition: { contentTypes } }: Host): Read | undefined {
  const [uid = '', action] = (state.permission.get(ctx) ?? '').split('.');
  const caller = state.caller.get(ctx);
  if (caller === undefined || caller instanceof UnauthorizedError || SUBJECTS.has(uid)) return undefined;
  const type = Object.hasOwn(contentTypes.types, uid) ? contentTypes.types[uid] : undefined;
  if (!type || (action !== 'find' && action !== 'findOne')) return undefined;
  return { type, caller, of: action === 'findOne' || type.kind === 'singleType' ? 'one' : 'list' };
}

/** Whether a caller gets marks in entries of a type: who sees its drafts or, if it has none, those of any type. Visitors never do. */
function marking({ definition: { contentTypes } }: Host, caller: Caller): (uid: string) => boolean {
  const sees = (uid: string): boolean => hasRight(caller, 'drafts', uid);
  const drafted = Object.values(contentTypes.types).filter(({ draftAndPublish }) => draftAndPublish);
  const seesAny = caller.kind !== 'public' && drafted.some(({ uid }) => sees(uid));
  return (uid) => {
    if (!seesAny || SUBJECTS.has(uid)) return false;
    return contentTypes.types[uid]?.draftAndPublish === true ? sees(uid) : true;
  };
}

async function mark(ctx: Context, host: Host): Promise<void> {
  const read = readOf(ctx, host);
  const { body } = ctx;
  if (!read || (typeof body !== 'string' && !Buffer.isBuffer(body))) return;
  const { type, caller, of } = read;
  const format = state.format.get(ctx) ?? V4;
  const query = parseQuery(ctx.querystring);
  if (queryRules(format.rules).live(query.tree(), false)) {
    const drafts = format.rules === 'v5' ? 'status=draft' : 'publicationState=preview';
    throw new BadRequestError(`Invalid parameter marks: only drafts are marked, so it needs ${drafts}`);
  }
  const isMarked = marking(host, caller);
  if (!isMarked(type.uid)) {
    throw new ForbiddenError({ reason: `${caller.role} gets no marks: it lacks the permission preview` });
  }
  const { query: parsed } = await host.reader.parsed(type, { caller, query, format }, of);
  try {
    ctx.body = markedBody(body.toString(), parsed.entry, isMarked);
  } catch (error) {
    // Without marks, the answer is as right as before.
    if (!(error instanceof OtherForm || error instanceof SyntaxError)) throw error;
  }
}

function marks(host: Host): Middleware {
  return async (ctx, next) => {
    await next();
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || ctx.status !== 200 || new URLSearchParams(ctx.querystring).get('marks') !== 'true') return;
    try {
      await mark(ctx, host);
    } catch (error) {
      ctx.remove('ETag');
      throw error;
    }
  };
}

/** Enabled if the schema has a `previewUrl`. */
export const preview: Feature<unknown> = {
  name: 'preview',
  routes: [],
  start: async (host) => ({ mounts: [], middleware: { api: marks(host) } }),
};
