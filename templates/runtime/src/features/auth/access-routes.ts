/** `/api/users-permissions`: roles and API tokens. */
import type { Context } from 'koa';
import type { ACCESS_ROUTES } from '../../contract/routes/access.ts';
import { parseEntryId } from '../../http/entry-id.ts';
import { readObject } from '../../http/body.ts';
import { waitForTurn } from '../../http/long-requests.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import { PRIVATE } from '../../http/reply.ts';
import { callerOf } from '../../http/request.ts';
import type { AuthContext } from './context.ts';
import { rolesService } from './roles-service.ts';
import { tokensService } from './tokens-service.ts';

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

export function accessHandlers(context: AuthContext): Handlers<IdsOf<typeof ACCESS_ROUTES>> {
  const roles = rolesService(context);
  const tokens = tokensService(context);
  return {
    async listPermissions(ctx) {
      await waitForTurn(ctx);
      ctx.body = JSON.stringify(roles.permissions());
    },
    async listRoles(ctx) {
      ctx.body = JSON.stringify(await roles.find());
    },
    async getRole(ctx) {
      await waitForTurn(ctx);
      ctx.body = JSON.stringify(await roles.findOne(idOf(ctx)));
    },
    async createRole(ctx) {
      ctx.body = JSON.stringify(await roles.create(callerOf(ctx), await readObject(ctx)));
    },
    async updateRole(ctx) {
      ctx.body = JSON.stringify(await roles.update(callerOf(ctx), idOf(ctx), await readObject(ctx)));
    },
    async deleteRole(ctx) {
      ctx.body = JSON.stringify(await roles.remove(callerOf(ctx), idOf(ctx)));
    },
    async listTokens(ctx) {
      ctx.body = JSON.stringify(await tokens.find());
    },
    async createToken(ctx) {
      ctx.set('Cache-Control', PRIVATE);
      ctx.body = JSON.stringify(await tokens.create(callerOf(ctx), await readObject(ctx)));
      ctx.status = 201;
    },
    async deleteToken(ctx) {
      ctx.body = JSON.stringify(await tokens.remove(callerOf(ctx), idOf(ctx)));
    },
  };
}
