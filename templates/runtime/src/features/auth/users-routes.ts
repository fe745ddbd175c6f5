/** `/api/users`: users without an envelope, and the own account. */
import type { Context } from 'koa';
import type { USER_ROUTES } from '../../contract/routes/users.ts';
import { parseEntryId } from '../../http/entry-id.ts';
import { readObject } from '../../http/body.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { callerOf, requestOf } from '../../http/request.ts';
import type { AuthContext } from './context.ts';
import { signedIn } from './refusals.ts';
import { usersService } from './users-service.ts';

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

export function userHandlers(context: AuthContext): Handlers<IdsOf<typeof USER_ROUTES>> {
  const users = usersService(context);
  return {
    async getOwnUser(ctx) {
      ctx.body = await users.findOne(signedIn(callerOf(ctx)), requestOf(ctx));
    },
    async countUsers(ctx) {
      ctx.body = await users.count(requestOf(ctx));
    },
    async listUsers(ctx) {
      ctx.body = await users.find(requestOf(ctx));
    },
    async createUser(ctx) {
      ctx.body = await users.create(await readObject(ctx), requestOf(ctx));
      ctx.status = 201;
    },
    async getUser(ctx) {
      ctx.body = await users.findOne(idOf(ctx), requestOf(ctx));
    },
    async updateUser(ctx) {
      ctx.body = await users.update(idOf(ctx), await readObject(ctx), requestOf(ctx));
    },
    async deleteUser(ctx) {
      ctx.body = await users.remove(idOf(ctx), requestOf(ctx));
    },
  };
}
