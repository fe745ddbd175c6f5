/** Listens for connections, as many as the limit of open files allows. */
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { preloadPackages } from '../base/lazy-packages.ts';
import type { Logger } from '../http/log.ts';
import { maxConnections } from '../http/max-connections.ts';
import { listenError } from './listen-error.ts';
import type { Settings } from './settings.ts';

const DROP_REPORT_INTERVAL_MS = 60_000;

/** Limits connections, to reserve file descriptors for files and the database, and logs when connections are refused. */
function limitConnections(http: HttpServer, logger: Logger): void {
  const most = maxConnections();
  if (most === undefined) return;
  http.maxConnections = most;
  let reportedAt = -Infinity;
  http.on('drop', () => {
    if (performance.now() - reportedAt < DROP_REPORT_INTERVAL_MS) return;
    reportedAt = performance.now();
    logger.warn({ maxConnections: most }, 'refused connections: the limit of open files (ulimit -n) is reached');
  });
}

/** Starts to listen. Resolves with the address once connections are accepted. */
export function listen(http: HttpServer, settings: Settings, logger: Logger): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const { host, port } = settings;
    const refuse = (error: unknown): void => reject(listenError(error, { host, port, prefix: '' }));
    http.once('error', refuse);
    http.listen(settings.port, settings.host, () => {
      http.off('error', refuse);
      limitConnections(http, logger);
      preloadPackages();
      resolve({ host: settings.host, port: (http.address() as AddressInfo).port });
    });
  });
}
