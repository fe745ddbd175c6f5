/** Runs a server as a process: settings from the environment, signals, exit codes. */
import type { AnyExtensions, ServerDefinition } from './definition.ts';
import { type ContentServer, createServer } from './server.ts';
import type { StopSettings } from '../http/drain.ts';
import { flushLog } from '../http/log.ts';
import { CLOSING_TIME, ensureSecret, loadDotEnv, problemsOfDotEnv, readSettings, type Settings } from './settings.ts';
import { superviseWorker } from './workers/worker.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Time for flushing the log, in milliseconds. */
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

/**
 * The first signal stops the server gracefully, a second one immediately. The process never takes longer than the settings allow.
 * Returns a function that stops the server like a signal.
 */
function stopOnSignals(server: ContentServer, { drainDelay, stopTimeout }: StopSettings): () => void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    stopping = true;
    server.logger.info({ signal, drainDelay, stopTimeout }, 'stopping');
    setTimeout(() => process.exit(1), drainDelay + stopTimeout + CLOSING_TIME).unref();
    await close(server);
    await flushLog(LOG_TIME);
    process.exit();
  };
  for (const name of SIGNALS) {
    process.on(name, (signal) => {
      if (stopping) process.exit(1);
      void stop(signal);
    });
  }
  return () => {
    if (!stopping) void stop('of the supervisor');
  };
}

/** Starts a server that runs in this process alone. */
async function startAlone(definition: ServerDefinition, extensions: AnyExtensions, settings: Settings): Promise<void> {
  const server = await createServer(definition, { settings, extensions });
  stopOnSignals(server, settings.stop);
  const { host, port } = await server.listen();
  for (const problem of problemsOfDotEnv(definition.name)) server.logger.warn(problem);
  server.logger.info({ host, port }, `${definition.name} listens at http://${host}:${port}`);
}

/** Starts one of the processes of a server. */
async function startAsWorker(
  definition: ServerDefinition,
  extensions: AnyExtensions,
  settings: Settings,
): Promise<void> {
  const supervised = superviseWorker();
  const server = await createServer(definition, { settings, extensions, supervised });
  supervised.onStop(stopOnSignals(server, settings.stop));
  supervised.listening(await server.listen());
}

/**
 * Runs the server until SIGTERM or SIGINT: in this process, or in as many worker processes as the settings say. If it can't start,
 * prints the reason to stderr in a few lines and exits with code 1.
 */
export async function startServer(definition: ServerDefinition, extensions: AnyExtensions): Promise<void> {
  try {
    loadDotEnv();
    ensureSecret();
    const settings = readSettings(definition.name, process.env);
    if (settings.worker) await startAsWorker(definition, extensions, settings);
    else if (settings.workers === 1) await startAlone(definition, extensions, settings);
    else await (await import('./workers/supervise.ts')).supervise(definition.name, settings);
  } catch (error) {
    process.stderr.write(
      `${definition.name} could not start. ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
    // If listening failed, the open database would keep the process alive.
    process.exit();
  }
}
