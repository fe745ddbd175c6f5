/** `POST /api/_batch`: several writes in one transaction. */
import { lazyImport } from '../../base/lazy-import.ts';
import { BATCH_ROUTES } from '../../contract/routes/batch.ts';
import type { Feature } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import type { BatchSettings } from './batch-settings.ts';

const load = lazyImport(() => import('./run-batch.ts'));

/** Batches of writes. */
export const batch: Feature<{ readonly batch: BatchSettings }> = {
  name: 'batch',
  routes: BATCH_ROUTES,
  start: async (host) => ({
    mounts: [mountRoutes(BATCH_ROUTES, async () => (await load()).batchHandlers(host))],
  }),
};
