/** Runs a server as a process: settings from the environment, signals, exit codes. */
import { type AnyExtensions, type ContentServer, createServer, type ServerDefinition } from './server.ts';
import type { StopSettings } from '../http/drain.ts';
import { flushLog } from '../http/log.ts';
import { ensureSecret, loadDotEnv, readSettings } from './settings.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** For what is behind the connections, once they have ended: mail, the database, and the log. In milliseconds. */
const CLOSING_TIME = 3000;
const LOG_TIME = 1000;

async function close({ logger, close: stop }: ContentServer): Promise<void> {
  try {
    await stop();
    logger.info('stopped');
  } catch (error) {
    logger.error({ err: error }, 'could not stop cleanly');
    process.exitCode = 1;
  }
}

/** The first signal stops gracefully, a second one at once. Nothing keeps the process longer than the settings say. */
function stopOnSignals(server: ContentServer, { drainDelay, stopTimeout }: StopSettings): void {
  let stopping = false;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    server.logger.info({ signal, drainDelay, stopTimeout }, 'stopping');
    setTimeout(() => process.exit(1), drainDelay + stopTimeout + CLOSING_TIME).unref();
    await close(server);
    await flushLog(LOG_TIME);
    process.exit();
  };
  for (const signal of SIGNALS) process.on(signal, (received) => void stop(received));
}

/**
 * Starts the server and keeps it until SIGTERM or SIGINT. What prevents the start is printed on stderr in a few lines,
 * with exit code 1.
 */
export async function startServer(definition: ServerDefinition, extensions: AnyExtensions): Promise<void> {
  try {
    loadDotEnv();
    ensureSecret();
    const settings = readSettings(definition.name, process.env);
    const server = await createServer(definition, { settings, extensions });
    stopOnSignals(server, settings.stop);
    const { host, port } = await server.listen();
    server.logger.info({ host, port }, `${definition.name} listens at http://${host}:${port}`);
  } catch (error) {
    process.stderr.write(
      `${definition.name} could not start. ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
    // A listener that failed leaves the database open, which would keep the process alive.
    process.exit();
  }
}
