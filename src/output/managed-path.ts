/**
 * Decides which files a build may delete. The manifest lists what was generated, but it is a file in the repository,
 * which a merge or a pull request can change: the manifest alone never suffices to delete a file.
 */
const CODE = /^(?:src\/generated\/.+\.ts|(?:client|runtime)\/.+\.[jt]s)$/;

/** Source maps next to generated code, which can't contain the header line. */
const MAP = /^runtime\/lib\/[a-z0-9-]+\.js\.map$/;

/** Copied assets can't contain the header line. Names of the admin panel's contain hashes. */
const ASSETS =
  /^runtime\/(?:assets\/(?:home\.css|pages\.js)|admin\/(?:index\.html|english\.json|preview\.js|assets\/[\w.-]+\.(?:js|css)))$/;

/**
 * Other files that every build writes. Entries are never removed: a project may have been written by an older version.
 */
const FILES: ReadonlySet<string> = new Set([
  'content-gen.schema.json',
  'docs/model.md',
  'migrations/migrations.sum',
  'openapi.json',
  'runtime/README.md',
  'runtime/package.json',
  'runtime/tsconfig.json',
  'test/permission-matrix.json',
]);

/**
 * Whether builds write a managed file with this path. New managed files outside of the generated folders must be added
 * here.
 */
export function isManagedPath(path: string): boolean {
  return CODE.test(path) || MAP.test(path) || ASSETS.test(path) || FILES.has(path);
}

/** Whether a build can have written this file, judging by its path and, for code, its first line. */
export function isGeneratedFile(path: string, { hasHeader }: { readonly hasHeader: boolean }): boolean {
  return isManagedPath(path) && (hasHeader || ASSETS.test(path) || !CODE.test(path));
}
