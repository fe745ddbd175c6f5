/** Whether Redis is of use now, and what the log says of it. */
import type { Logger } from '../../http/log.ts';

/** How long it is left alone after a failure, in milliseconds. */
const PAUSE = 5000;
/** How long a command may take, in milliseconds. */
const TIMEOUT = 500;
/** How long nothing is said again of one that comes and goes, in milliseconds. */
const REPORT_INTERVAL = 600_000;

export interface RedisLink {
  /** Runs a command. Undefined where it fails, takes too long, or has lately. */
  use<T>(command: () => Promise<T>): Promise<T | undefined>;
  failed(error: unknown): void;
  /** Nothing is logged from now on: connections end. */
  close(): void;
}

export function createRedisLink(logger: Pick<Logger, 'warn' | 'info'>): RedisLink {
  let isClosed = false;
  let isDown = false;
  let resumesAt = -Infinity;
  let reportedAt = -Infinity;

  function failed(error: unknown): void {
    resumesAt = performance.now() + PAUSE;
    if (isDown || isClosed) return;
    isDown = true;
    if (performance.now() - reportedAt < REPORT_INTERVAL) return;
    reportedAt = performance.now();
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ reason }, 'Redis is of no use now: each instance counts by other means');
  }

  function succeeded(): void {
    if (isDown) logger.info('Redis is used again');
    isDown = false;
  }

  return {
    failed,
    close: () => void (isClosed = true),
    async use(command) {
      if (performance.now() < resumesAt) return undefined;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`it has not answered for ${TIMEOUT} ms`)), TIMEOUT);
      });
      try {
        const result = await Promise.race([command(), late]);
        succeeded();
        return result;
      } catch (error) {
        failed(error);
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
