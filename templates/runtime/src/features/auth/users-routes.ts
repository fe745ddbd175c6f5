/** `/api/users`: users, without a `data` envelope, and `/me`. */
import type { Context } from 'koa';
import type { USER_ROUTES } from '../../contract/routes/users.ts';
import { rowId } from '../../entries/documents/row-id.ts';
import { parseEntryKey } from '../../http/entry-id.ts';
import { preconditionsOf } from '../../http/conditions.ts';
import { reply } from '../../http/reply.ts';
import { readObject } from '../../http/body.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callerOf, requestOf } from '../../http/request.ts';
import { flatFormat } from '../../query/format.ts';
import type { AuthContext } from './context.ts';
import { requireUserId } from './refusals.ts';
import { usersService } from './users-service.ts';

/** The id of the user in the path, who may be named by document id; 0 if there is no such document. */
function idOf({ database, userType }: AuthContext, ctx: Context): Promise<number> {
  const key = parseEntryKey(String((ctx.params as { readonly id?: unknown }).id), userType);
  return rowId(database, userType, key);
}

export function userHandlers(context: AuthContext): Handlers<IdsOf<typeof USER_ROUTES>> {
  const users = usersService(context);
  // Responses are converted after reading, so ETags must be computed from their bytes.
  const requested = (ctx: Context) => ({
    ...requestOf(ctx),
    format: flatFormat(context.userType),
    isKnown: undefined,
  });
  return {
    async getOwnUser(ctx) {
      reply(ctx, await users.findOne(requireUserId(callerOf(ctx)), requested(ctx)));
    },
    async countUsers(ctx) {
      ctx.body = await users.count(requested(ctx));
    },
    async listUsers(ctx) {
      ctx.body = await users.find(requested(ctx));
    },
    async createUser(ctx) {
      reply(ctx, await users.create(await readObject(ctx), requested(ctx)), 201);
    },
    async getUser(ctx) {
      reply(ctx, await users.findOne(await idOf(context, ctx), requested(ctx)));
    },
    async updateUser(ctx) {
      const body = await readObject(ctx);
      const id = await idOf(context, ctx);
      reply(ctx, await users.update(id, body, { ...requested(ctx), expected: preconditionsOf(ctx) }));
    },
    async deleteUser(ctx) {
      const id = await idOf(context, ctx);
      reply(ctx, await users.remove(id, { ...requested(ctx), expected: preconditionsOf(ctx) }));
    },
  };
}
