/** Output that nobody reads any more: a reader such as `head` may close its end early. */
import type { Writable } from 'node:stream';

function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Has a command go on without a reader of its output, to its end, instead of crashing. */
export function ignoreClosedOutput(outputs: readonly Writable[] = [process.stdout, process.stderr]): void {
  for (const output of outputs) {
    // Tests run many commands in one process.
    if (!output.listeners('error').includes(ignoreClosed)) output.on('error', ignoreClosed);
  }
}
