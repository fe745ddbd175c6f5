/** Policies of the project, and its middleware around generated routes. */
import type { Context, Middleware } from 'koa';
import { ForbiddenError } from '../../contract/errors.ts';
import { callContextOf } from '../../http/request.ts';
import { requestKey } from '../../http/state.ts';
import { through } from '../../http/through.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { ActionName } from './action-types.ts';
import { type ActionScope, requestFor } from './run-action.ts';

type OwnPolicy = (request: object) => unknown;

/** What applies to a route of a type. */
interface RouteGuards {
  /** `article.find` */
  readonly route: string;
  readonly policies: readonly OwnPolicy[];
  readonly use: readonly Middleware[];
}

/** The guards of a route: those of all routes of the type, then its own. */
export function guardsOf({ actions }: ActionScope, uid: string, name: ActionName): RouteGuards {
  const ofType = actions[uid] ?? {};
  const action = ofType[name];
  const own = typeof action === 'object' ? action : {};
  const policies = [...(ofType.policies ?? []), ...(own.policies ?? [])] as readonly unknown[];
  return {
    route: `${uid}.${name}`,
    policies: policies as readonly OwnPolicy[],
    use: [...(ofType.use ?? []), ...(own.use ?? [])],
  };
}

/** Throws ForbiddenError, or what a policy throws, if one of them refuses the call. */
export async function requirePolicies(
  scope: ActionScope,
  { route, policies }: RouteGuards,
  call: CallContext,
  ctx: Context | undefined,
): Promise<void> {
  for (const policy of policies) {
    const allowed = await policy(requestFor(scope, call, ctx, { route }));
    if (allowed === false) throw new ForbiddenError({ reason: 'a policy refuses the request' });
  }
}

/** `first`, then the policies, then the middleware of `use`. */
export function guarded(scope: ActionScope, uid: string, name: ActionName, first: Middleware): Middleware {
  const guards = guardsOf(scope, uid, name);
  const { policies, use } = guards;
  if (policies.length === 0 && use.length === 0) return first;
  return (ctx, next) =>
    first(ctx, async () => {
      await requirePolicies(scope, guards, callContextOf(ctx), ctx);
      if (use.length > 0) requestKey.get(ctx)?.answersLate();
      await through(use, next)(ctx);
    });
}
