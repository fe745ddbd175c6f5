/** The page for editors at `/admin`, and its requests. */
import { late } from '../../base/late.ts';
import { ADMIN_ROUTES } from '../../contract/routes/admin.ts';
import type { Feature } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import type { AdminServerSettings } from './settings.ts';

/** Of servers whose schema does not say `admin: false`. */
export const admin: Feature<AdminServerSettings> = {
  name: 'admin',
  routes: ADMIN_ROUTES,
  async start(host) {
    const load = late(() => import('./admin-routes.ts'));
    return { mounts: [mountRoutes(ADMIN_ROUTES, async () => (await load()).adminHandlers(host))] };
  },
};
