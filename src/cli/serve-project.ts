/** Runs the server of a project from its sources, by the tsx of the project: it restarts when a source changes. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Io } from './io.ts';

export interface ServedProject {
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** The command line of tsx as a file; undefined where it is not installed. */
function findTsx(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve('tsx/cli');
  } catch {
    return undefined;
  }
}

/** Undefined, with a message, where the project is not installed yet: the next build tries again. */
export function serveProject(folder: string, { stderr }: Io): ServedProject | undefined {
  const tsx = findTsx(folder);
  if (tsx === undefined) {
    stderr.write(`The server can't start yet. Run first: npm install\n`);
    return undefined;
  }
  const args = [tsx, 'watch', '--clear-screen=false', '--conditions=content-gen-source', 'src/main.ts'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
