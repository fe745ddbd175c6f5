/** The audit: who did what. */
import type { Middleware } from 'koa';
import { createPolling } from '../../base/polling.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { AUDIT_ROUTES } from '../../contract/routes/audit.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import { mountRoutes } from '../../http/mount-routes.ts';
import * as state from '../../http/state.ts';
import type { AuditSettings } from './audit-settings.ts';
import { linkRows, pruneAudit } from './chain.ts';
import type { OpenedAudit } from './open-audit-log.ts';
import { serveAudit } from './serve-audit.ts';

interface Settings {
  readonly audit: AuditSettings;
}

/** How often rows of other processes are linked, in milliseconds, and how long they are collected before. */
const LINK_INTERVAL = 1000;
const COLLECTING = 50;
/** How often refusals are recorded, and old rows deleted, in milliseconds. */
const FLUSH_INTERVAL = 60_000;
const PRUNE_INTERVAL = 600_000;

/** Knows the request of what is written, and counts what it is refused. */
function watchRequests(audit: OpenedAudit): Middleware {
  return (ctx, next) =>
    audit.inRequest(ctx, async () => {
      try {
        await next();
      } catch (error) {
        if (error instanceof ForbiddenError) audit.refused('refused', state.permission.get(ctx));
        throw error;
      }
    });
}

async function openAudit(host: FeatureHost<Settings>): Promise<RunningFeature> {
  const { database, settings, logger } = host;
  const { kept } = settings.audit;
  const log = host.audit as OpenedAudit | undefined;
  if (!log) throw new Error('this server has no audit');
  const flush = (): Promise<void> =>
    log.flush().catch((error: unknown) => logger.warn({ err: error }, 'refusals were not recorded'));
  const prune = (): void => {
    if (kept === undefined) return;
    pruneAudit(database, Date.now() - kept).catch((error: unknown) =>
      logger.warn({ err: error }, 'old rows of the audit were not deleted'),
    );
  };
  const linking = createPolling({
    interval: LINK_INTERVAL,
    collecting: COLLECTING,
    work: () => linkRows(database),
    failed: (error) => logger.warn({ err: error }, 'rows of the audit were not linked'),
  });
  const unlisten = log.recorded.listen(() => linking.nudge());
  const timers = [setInterval(() => void flush(), FLUSH_INTERVAL), setInterval(prune, PRUNE_INTERVAL)];
  for (const timer of timers) timer.unref();
  let isLinking = false;
  return {
    mounts: [mountRoutes(AUDIT_ROUTES, async () => ({ findAudit: (ctx) => serveAudit(database, ctx) }))],
    middleware: { assets: watchRequests(log) },
    // Its tables exist by then.
    listening: () => {
      isLinking = true;
      linking.start();
      return Promise.resolve();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      unlisten();
      await flush();
      if (isLinking) await linking.stop();
    },
  };
}

export const audit: Feature<Settings> = { name: 'audit', routes: AUDIT_ROUTES, start: openAudit };
