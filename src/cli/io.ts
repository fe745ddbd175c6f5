/** The command line's access to the outside world, which tests replace. */
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
  /** Registers `stop`, to be called on SIGINT, SIGTERM or SIGHUP. The process then ends only when the command does. */
  readonly onStop?: (stop: () => void) => void;
}

/** The color functions for an output: plain ones unless it is a terminal that shows colors. */
export function colorsOf(output: Output, { env }: Pick<Io, 'env'>): Colors {
  return isColored(output, env) ? pc.createColors(true) : plainColors;
}

/** Whether to use colors: only on a terminal, and not with NO_COLOR (https://no-color.org). */
function isColored({ isTTY }: Output, { NO_COLOR, TERM }: Io['env']): boolean {
  return isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb';
}

/** The I/O of the process itself. Ignores EPIPE: a reader such as `head` may close its end early. */
export function processIo(process: NodeJS.Process): Io {
  const { stdout, stderr, env } = process;
  for (const output of [stdout, stderr]) {
    output.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const onStop = (stop: () => void): void => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  };
  return { stdout, stderr, env, cwd: process.cwd(), onStop };
}
