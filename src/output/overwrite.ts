/** Resolves the files named by `--overwrite`. */
import { relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/**
 * The project paths of the given names, which are relative to the project, as in messages, or to the working directory,
 * as completed by a shell. `known` has every path of the project; any other name is an error.
 */
export function overwritePaths(
  names: readonly string[],
  { cwd, root, known }: { readonly cwd: string; readonly root: string; readonly known: ReadonlySet<string> },
): { readonly paths: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] } {
  const paths = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const within = [resolve(root, name), resolve(cwd, name)].map((path) => relative(root, path).replaceAll(sep, '/'));
    const found = within.filter((path) => known.has(path));
    for (const path of found) paths.add(path);
    if (found.length > 0) continue;
    diagnostics.push({
      code: 'output/unknown-overwrite',
      severity: 'error',
      kind: 'input',
      message: `--overwrite ${name}: the project has no generated file with this path`,
      hint: 'use the path that the message about the file shows, such as src/generated/app.ts',
    });
  }
  return { paths, diagnostics };
}
