/** `content-gen eject runtime`. */
import { renderText } from '../diagnostics/render-text.ts';
import { EXIT } from './exit-codes.ts';
import { colorsOf, type Io } from './io.ts';

const DONE = `runtime/ now contains the sources and tests of the runtime. They belong to you; later builds do not change them.

Next: npm install && npm run build && npm test --workspace runtime
`;

/** Ejects, prints the result, and returns the exit code. */
export async function ejectCommand(flags: { readonly out?: string }, io: Io): Promise<number> {
  const { ejectRuntime } = await import('../eject.ts');
  const diagnostics = await ejectRuntime({
    cwd: io.cwd,
    out: flags.out ?? '.',
    onWait: (id) => io.stderr.write(`waiting for a build of this project (process ${id}) …\n`),
  });
  io.stderr.write(renderText(diagnostics, { sourceOf: () => undefined, colors: colorsOf(io.stderr, io) }));
  if (diagnostics.some(({ severity }) => severity === 'error')) return EXIT.refused;
  io.stdout.write(DONE);
  return EXIT.done;
}
