/** The handlers of the routes `/api/releases`. */
import type { Context } from 'koa';
import type { RELEASE_ROUTES } from '../../contract/routes/releases.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { readObject } from '../../http/body.ts';
import { parseEntryId } from '../../http/entry-id.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callContextOf } from '../../http/request.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { Releases } from './releases.ts';

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

/** Where a page of the list begins. */
function beforeOf({ query }: Context): number | undefined {
  const { before } = query;
  if (before === undefined) return undefined;
  if (typeof before === 'string' && /^\d{1,15}$/u.test(before)) return Number(before);
  throw new BadRequestError('Invalid parameter before: it must be the id of a release');
}

/** Releases are not written by requests that are repeated by key. */
function callOf(ctx: Context): CallContext {
  const { caller, requestId } = callContextOf(ctx);
  return { caller, requestId };
}

export function releaseHandlers(releases: Releases): Handlers<IdsOf<typeof RELEASE_ROUTES>> {
  const answer = async (ctx: Context, data: Promise<unknown>, status = 200): Promise<void> => {
    ctx.body = { data: await data, meta: {} };
    ctx.status = status;
  };
  return {
    listReleases: (ctx) => answer(ctx, releases.list(beforeOf(ctx), callOf(ctx))),
    createRelease: async (ctx) => answer(ctx, releases.create(await readObject(ctx), callOf(ctx)), 201),
    getRelease: (ctx) => answer(ctx, releases.get(idOf(ctx), callOf(ctx))),
    updateRelease: async (ctx) => {
      const body = await readObject(ctx);
      await answer(ctx, releases.update(idOf(ctx), body, callOf(ctx)));
    },
    deleteRelease: async (ctx) => {
      await releases.remove(idOf(ctx), callOf(ctx));
      ctx.status = 204;
    },
    async checkRelease(ctx) {
      ctx.body = { data: { refusals: await releases.check(idOf(ctx), callOf(ctx)) }, meta: {} };
    },
    publishRelease: (ctx) => answer(ctx, releases.publish(idOf(ctx), callOf(ctx))),
    revertRelease: (ctx) => answer(ctx, releases.revert(idOf(ctx), callOf(ctx))),
  };
}
