/** The files that `--overwrite` names. */
import { relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';

/**
 * The paths within the project that a person means: as the messages show them, or as the shell completes them. `known`
 * holds every path of the project; a name that is none of them is an error.
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
      message: `--overwrite ${name}: the project has no generated file of that name`,
      hint: 'name a file as the message about it does, such as src/generated/app.ts',
    });
  }
  return { paths, diagnostics };
}
