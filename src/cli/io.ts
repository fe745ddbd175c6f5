/** What the command line has of the outside world, so that a test can give it another one. */
import pc from 'picocolors';
import { type Colors, plainColors } from '../diagnostics/render-text.ts';

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Io {
  /** Results. */
  readonly stdout: Output;
  /** Messages and progress. */
  readonly stderr: Output;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls `stop` when the process is asked to end, which then ends only once the command does. */
  readonly onStop?: (stop: () => void) => void;
}

/** The colours for an output. */
export function colorsOf(output: Output, { env }: Pick<Io, 'env'>): Colors {
  return isColored(output, env) ? pc.createColors(true) : plainColors;
}

/** Whether to colour what goes to an output: https://no-color.org, and never into a file or a pipe. */
function isColored({ isTTY }: Output, { NO_COLOR, TERM }: Io['env']): boolean {
  return isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}

/** The process itself. A reader that closes its end early, as `head` does, is no failure. */
export function processIo(process: NodeJS.Process): Io {
  const { stdout, stderr, env } = process;
  for (const output of [stdout, stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const onStop = (stop: () => void): void => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  };
  return { stdout, stderr, env, cwd: process.cwd(), onStop };
}
