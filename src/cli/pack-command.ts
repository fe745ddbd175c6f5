/** `content-gen pack runtime`. */
import { relative, resolve } from 'node:path';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Packs the runtime, prints where it is and what to do with it, and returns the exit code. */
export async function packCommand({ out = '.' }: { readonly out?: string }, io: Io): Promise<number> {
  const { packRuntime } = await import('./pack-runtime.ts');
  const file = relative(io.cwd, await packRuntime(resolve(io.cwd, out)));
  io.stdout.write(`${file}

Install it in a project with \`runtime: package\`: npm install ./${file}
or publish it to a registry of yours: npm publish ./${file}
`);
  return EXIT.done;
}
