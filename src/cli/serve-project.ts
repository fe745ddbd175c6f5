/** Runs the server of a project from its sources with the project's own tsx, which restarts it when a source changes. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Io } from './io.ts';
import { missingPackages } from './missing-packages.ts';

export interface ServedProject {
  /**
   * Runs the server again. A build says so, since tsx can miss its changes: a watch of a file ends when the file is
   * replaced, and begins anew only if the watcher gets to see each of the events in time.
   */
  restart(): void;
  /** Resolves when the process has exited. */
  stop(): Promise<void>;
}

/** The path of the tsx command line; undefined if tsx is not installed. */
function findTsx(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve('tsx/cli');
  } catch {
    return undefined;
  }
}

/**
 * Starts the server. Prints a message and returns undefined if the dependencies are not installed yet; the next build
 * tries again.
 */
export function serveProject(folder: string, { stderr }: Io): ServedProject | undefined {
  const tsx = findTsx(folder);
  if (tsx === undefined) {
    stderr.write(`The server can't start yet. First run: npm install\n`);
    return undefined;
  }
  const missing = missingPackages(folder);
  if (missing.length > 0) {
    stderr.write(
      `The server can't start yet: it needs ${missing.join(', ')}. Run npm install, and then start this again.\n`,
    );
    return undefined;
  }
  const args = [tsx, 'watch', '--clear-screen=false', '--conditions=content-gen-source'];
  // The server imports no migrations, but may not have started because of them.
  args.push('--include', 'migrations/migrations.sum', 'src/main.ts');
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['pipe', 'inherit', 'inherit'] });
  // Writing fails once tsx has ended, which `ended` tells.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    restart: () => void child.stdin.write('\n'),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
