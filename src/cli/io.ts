/** What the command line has of the outside world, so that a test can give it another one. */

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
}

/** Whether to colour what goes to an output: https://no-color.org, and never into a file or a pipe. */
export function isColored({ isTTY }: Output, { NO_COLOR, TERM }: Io['env']): boolean {
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
  return { stdout, stderr, env, cwd: process.cwd() };
}
