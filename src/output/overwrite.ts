/** Resolves the files named by `--overwrite`. */
import { relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { isManagedPath } from './managed-path.ts';

/** The file at `path`; of a folder, its files that belong to content-gen, so that none of the team's is lost. */
function filesAt(path: string, known: ReadonlySet<string>): readonly string[] {
  if (known.has(path)) return [path];
  const isInside = (file: string) => path === '' || file.startsWith(`${path}/`);
  return [...known].filter((file) => isInside(file) && isManagedPath(file));
}

/**
 * The project paths of the given names of files and folders, which are relative to the project, as in messages, or to
 * the working directory, as completed by a shell. `known` has every path of the project; any other name is an error.
 */
export function overwritePaths(
  names: readonly string[],
  { cwd, root, known }: { readonly cwd: string; readonly root: string; readonly known: ReadonlySet<string> },
): { readonly paths: ReadonlySet<string>; readonly diagnostics: readonly Diagnostic[] } {
  const paths = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const name of names) {
    const within = [resolve(root, name), resolve(cwd, name)].map((path) => relative(root, path).replaceAll(sep, '/'));
    const found = within.flatMap((path) => filesAt(path, known));
    for (const path of found) paths.add(path);
    if (found.length > 0) continue;
    diagnostics.push({
      code: 'output/unknown-overwrite',
      severity: 'error',
      kind: 'input',
      message: `--overwrite ${name}: the project has no generated file with this path, nor in such a folder`,
      hint: 'use the path that the message about the file shows, such as src/generated/app.ts',
    });
  }
  return { paths, diagnostics };
}
