/** `/api/users-permissions`: roles, and API tokens. */
import type { Context } from 'koa';
import { Router } from '../../base/common-js.ts';
import { parseEntryId } from '../../entries/entry-id.ts';
import { readObject } from '../../http/body.ts';
import { allow, callerOf } from '../../http/request.ts';
import type { AuthContext } from './context.ts';
import { rolesService } from './roles-service.ts';
import { tokensService } from './tokens-service.ts';

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

export function accessRoutes(context: AuthContext): Router {
  const router = new Router({ prefix: '/api/users-permissions' });
  const roles = rolesService(context);
  const tokens = tokensService(context);

  router.get('/permissions', allow('roles', 'find'), (ctx) => {
    ctx.body = JSON.stringify(roles.permissions());
  });
  router.get('/roles', allow('roles', 'find'), async (ctx) => {
    ctx.body = JSON.stringify(await roles.find());
  });
  router.get('/roles/:id', allow('roles', 'findOne'), async (ctx) => {
    ctx.body = JSON.stringify(await roles.findOne(idOf(ctx)));
  });
  router.post('/roles', allow('roles', 'create'), async (ctx) => {
    ctx.body = JSON.stringify(await roles.create(callerOf(ctx), await readObject(ctx)));
  });
  router.put('/roles/:id', allow('roles', 'update'), async (ctx) => {
    ctx.body = JSON.stringify(await roles.update(callerOf(ctx), idOf(ctx), await readObject(ctx)));
  });
  router.delete('/roles/:id', allow('roles', 'destroy'), async (ctx) => {
    ctx.body = JSON.stringify(await roles.remove(callerOf(ctx), idOf(ctx)));
  });

  router.get('/tokens', allow('tokens', 'find'), async (ctx) => {
    ctx.body = JSON.stringify(await tokens.find());
  });
  router.post('/tokens', allow('tokens', 'create'), async (ctx) => {
    ctx.set('Cache-Control', 'private, no-store');
    ctx.body = JSON.stringify(await tokens.create(callerOf(ctx), await readObject(ctx)));
    ctx.status = 201;
  });
  router.delete('/tokens/:id', allow('tokens', 'destroy'), async (ctx) => {
    ctx.body = JSON.stringify(await tokens.remove(idOf(ctx)));
  });
  return router;
}
