/** Handlers of `/api/admin`: sessions, the first user, and the content model for the page. */
import type { AdminModel, AdminSession, AdminSignIn } from '../../contract/admin.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { ADMIN_ROUTES } from '../../contract/routes/admin.ts';
import type { FeatureHost } from '../../http/feature.ts';
import type { Handlers, IdsOf } from '../../http/mount-routes.ts';
import type { PageUser } from '../../http/page-accounts.ts';
import { PRIVATE } from '../../http/reply.ts';
import { callContextOf, callerOf } from '../../http/request.ts';
import { readObject } from '../../http/body.ts';
import { parseEntryId } from '../../http/entry-id.ts';
import { waitForTurn } from '../../http/long-requests.ts';
import { ACCESS } from './access.ts';
import { describeModel } from './describe-model.ts';
import { entryRights } from './entry-rights.ts';
import { checkFirstUser, type FirstUserLink } from './first-user.ts';
import type { OwnPart } from './own-part.ts';
import type { AdminServerSettings } from './settings.ts';

/** Groups actions by subject: `article.find` becomes `find` under `article`. */
function bySubject(permissions: ReadonlySet<string>): AdminSession['permissions'] {
  const found: Record<string, string[]> = {};
  for (const permission of [...permissions].sort()) {
    const [subject = '', action = ''] = permission.split('.');
    (found[subject] ??= []).push(action);
  }
  return found;
}

export function adminHandlers(
  host: FeatureHost<AdminServerSettings>,
  firstUser: FirstUserLink,
  ownPart: OwnPart | undefined,
): Handlers<IdsOf<typeof ADMIN_ROUTES>> {
  const { definition, settings } = host;
  const { locales } = definition.contentTypes;
  const session = ({ user, role, permissions }: PageUser): string => {
    const answer: AdminSession = { user, role, permissions: bySubject(permissions), locales };
    return JSON.stringify(answer);
  };
  return {
    async startAdminSession(ctx) {
      ctx.set('Cache-Control', 'no-store');
      const accounts = await host.pageAccounts();
      ctx.body = session(await accounts.signIn(ctx, ACCESS));
    },
    async getAdminSignIn(ctx) {
      const accounts = await host.pageAccounts();
      const own = await ownPart?.described();
      const answer: AdminSignIn = { passwordReset: accounts.resetsPasswords(), ...(own && { own }) };
      ctx.set('Cache-Control', 'no-store');
      ctx.body = JSON.stringify(answer);
    },
    async getAdminSession(ctx) {
      const accounts = await host.pageAccounts();
      ctx.body = session(await accounts.current(ctx));
    },
    async endAdminSession(ctx) {
      const accounts = await host.pageAccounts();
      await accounts.signOut(ctx);
      ctx.status = 204;
    },
    async createFirstUser(ctx) {
      ctx.set('Cache-Control', 'no-store');
      const { token, user } = checkFirstUser(await readObject(ctx));
      ctx.body = session(await firstUser.use(token, (accounts, role) => accounts.addUser(ctx, user, role)));
    },
    async getAdminModel(ctx) {
      await waitForTurn(ctx);
      const own = await ownPart?.described();
      const answer: AdminModel = { ...describeModel(definition, callerOf(ctx), settings), ...(own && { own }) };
      ctx.body = JSON.stringify(answer);
    },
    async getAdminEntryRights(ctx) {
      const { type: uid = '', id = '' } = ctx.params as Readonly<Record<string, string>>;
      const type = Object.hasOwn(definition.routes, uid) ? definition.contentTypes.types[uid] : undefined;
      if (!type) throw new NotFoundError();
      ctx.set('Cache-Control', PRIVATE);
      ctx.body = JSON.stringify(await entryRights(host.hooked(type), parseEntryId(id), callContextOf(ctx)));
    },
  };
}
