/** The admin page at `/admin`, and its API. */
import { isJobWorker, SINGLE_WORKER } from '../../base/siblings.ts';
import { lazyImport } from '../../base/lazy-import.ts';
import { previewUrlOf } from '../../contract/admin.ts';
import { ADMIN_ROUTES } from '../../contract/routes/admin.ts';
import type { Feature, FeatureHost } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import { ACCESS } from './access.ts';
import { createFirstUserLink, type FirstUserLink } from './first-user.ts';
import { openOwnPart } from './own-part.ts';
import { hasPage } from './page-files.ts';
import { servePage } from './serve-page.ts';
import type { AdminServerSettings } from './settings.ts';

type Host = FeatureHost<AdminServerSettings>;

/** Logs a link that creates the first account, if there is none yet. */
async function showLink({ pageAccounts, logger }: Host, firstUser: FirstUserLink, url: string): Promise<void> {
  if (!(await hasPage())) return;
  const accounts = await pageAccounts();
  if ((await accounts.roleWith(ACCESS)) === undefined) return;
  const token = await firstUser.open();
  if (token !== undefined) {
    logger.info(`create the first account of the admin panel: ${url}admin/#/first?token=${token}`);
  }
}

/** Enabled unless the schema says `admin: false`. */
export const admin: Feature<AdminServerSettings> = {
  name: 'admin',
  routes: ADMIN_ROUTES,
  async start(host) {
    const load = lazyImport(() => import('./admin-routes.ts'));
    const { settings } = host;
    const firstUser = createFirstUserLink(host.pageAccounts, host.siblings);
    const own = openOwnPart(host.definition.panel, settings.production);
    const page = {
      own,
      mediaUrl: settings.uploads.s3?.publicUrl,
      previewUrl: previewUrlOf(host.definition.admin),
    };
    const showsLink = !settings.production && isJobWorker(settings.worker ?? SINGLE_WORKER);
    return {
      mounts: [mountRoutes(ADMIN_ROUTES, async () => (await load()).adminHandlers(host, firstUser, own))],
      middleware: { assets: servePage(page) },
      listening: showsLink ? (url) => showLink(host, firstUser, url) : undefined,
    };
  },
};
