/** `/api/users`: users without an envelope, and the own account. */
import type { Context } from 'koa';
import { Router } from '../../base/common-js.ts';
import { parseEntryId } from '../../entries/entry-id.ts';
import { readObject } from '../../http/body.ts';
import { allow, callerOf, requestOf } from '../../http/request.ts';
import type { AuthContext } from './context.ts';
import { signedIn } from './refusals.ts';
import { usersService } from './users-service.ts';

function idOf(ctx: Context): number {
  return parseEntryId(String((ctx.params as { readonly id?: unknown }).id));
}

export function usersRoutes(context: AuthContext): Router {
  const router = new Router({ prefix: '/api/users' });
  const users = usersService(context);

  router.get('/me', allow('users', 'me'), async (ctx) => {
    ctx.body = await users.findOne(signedIn(callerOf(ctx)), requestOf(ctx));
  });
  router.get('/count', allow('users', 'find'), async (ctx) => {
    ctx.body = await users.count(requestOf(ctx));
  });
  router.get('/', allow('users', 'find'), async (ctx) => {
    ctx.body = await users.find(requestOf(ctx));
  });
  router.post('/', allow('users', 'create'), async (ctx) => {
    ctx.body = await users.create(await readObject(ctx), requestOf(ctx));
    ctx.status = 201;
  });
  router.get('/:id', allow('users', 'findOne'), async (ctx) => {
    ctx.body = await users.findOne(idOf(ctx), requestOf(ctx));
  });
  router.put('/:id', allow('users', 'update'), async (ctx) => {
    ctx.body = await users.update(idOf(ctx), await readObject(ctx), requestOf(ctx));
  });
  router.delete('/:id', allow('users', 'destroy'), async (ctx) => {
    ctx.body = await users.remove(idOf(ctx), requestOf(ctx));
  });
  return router;
}
