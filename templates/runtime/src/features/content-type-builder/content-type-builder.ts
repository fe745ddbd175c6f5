/** `GET /api/content-type-builder/content-types` and `/components`: read first by Strapi clients that mirror a whole server. */
import type { Context } from 'koa';
import type { ContentTypes } from '../../contract/content-type.ts';
import { mayFind } from '../../contract/policy/caller.ts';
import { CONTENT_TYPE_ROUTES } from '../../contract/routes/content-type-builder.ts';
import type { Feature } from '../../http/feature.ts';
import { waitForTurn } from '../../http/long-requests.ts';
import { type Handlers, type IdsOf, mountRoutes } from '../../http/mount-routes.ts';
import { callerOf } from '../../http/request.ts';
import { describeComponents, describeTypes, type MayFind } from '../../contract/describe-types.ts';

/** The caller may see the types for which they have `find` or `findOne`. */
function mayFindOf(ctx: Context): MayFind {
  const caller = callerOf(ctx);
  return (uid) => mayFind(caller, uid);
}

function handlers(types: ContentTypes): Handlers<IdsOf<typeof CONTENT_TYPE_ROUTES>> {
  return {
    async listContentTypes(ctx) {
      await waitForTurn(ctx);
      ctx.body = JSON.stringify({ data: describeTypes(types, mayFindOf(ctx)) });
    },
    async listComponents(ctx) {
      await waitForTurn(ctx);
      ctx.body = JSON.stringify({ data: describeComponents(types, mayFindOf(ctx)) });
    },
  };
}

/** The content types of a server, filtered by the permissions of the caller. */
export const contentTypeBuilder: Feature<unknown> = {
  name: 'content-type-builder',
  routes: CONTENT_TYPE_ROUTES,
  start: async ({ definition }) => ({
    mounts: [mountRoutes(CONTENT_TYPE_ROUTES, async () => handlers(definition.contentTypes))],
  }),
};
