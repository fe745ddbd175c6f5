/** Runs a server as a process: settings from the environment, signals, exit codes. */
import { createServer, type AnyExtensions, type ContentServer, type ServerDefinition } from './server.ts';
import { ensureSecret, loadDotEnv, readSettings } from './settings.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The first signal stops gracefully, a second one at once. */
function stopOnSignals(server: ContentServer): void {
  let stopping = false;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      server.logger.info({ signal }, 'stopping');
      void server.close().then(
        () => server.logger.info('stopped'),
        (error: unknown) => {
          server.logger.error({ err: error }, 'could not stop cleanly');
          process.exitCode = 1;
        },
      );
    });
  }
}

/**
 * Starts the server and keeps it until SIGTERM or SIGINT. What prevents the start is printed on stderr in a few lines,
 * with exit code 1.
 */
export async function startServer(definition: ServerDefinition, extensions: AnyExtensions): Promise<void> {
  try {
    loadDotEnv();
    ensureSecret();
    const server = await createServer(definition, { settings: readSettings(definition.name, process.env), extensions });
    stopOnSignals(server);
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
