/** Tracks whether Redis is usable, and logs changes: a circuit breaker. */
import type { Logger } from '../../http/log.ts';

/** How long no command is sent after a failure, in milliseconds. */
const PAUSE = 5000;
/** Timeout of a command, in milliseconds. */
const TIMEOUT = 500;
/** Minimum interval between warnings in the log, in milliseconds. */
const REPORT_INTERVAL = 600_000;

/** The state of the connection to Redis. */
export interface RedisLink {
  /** Runs a command. Resolves with undefined if it fails or times out, or if one recently has. */
  use<T>(command: () => Promise<T>): Promise<T | undefined>;
  /** Reports a failure of the connection. */
  failed(error: unknown): void;
  /** Stops logging failures, since connections are about to be closed. */
  close(): void;
}

/** A link that counts as usable until the first failure. */
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
    logger.warn({ reason }, "Redis can't be used: each instance counts without it");
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
        timer = setTimeout(() => reject(new Error(`no response for ${TIMEOUT} ms`)), TIMEOUT);
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
