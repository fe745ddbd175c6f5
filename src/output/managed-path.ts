/**
 * Which files a build may delete. The manifest says what was generated, but it is a file of the repository that a merge, or
 * anybody with a pull request, can change: it alone never costs the team a file.
 */
const CODE = /^(?:src\/generated\/.+\.ts|(?:client|runtime)\/.+\.[jt]s)$/;

/** Source maps beside it, which have no room for that line. */
const MAP = /^runtime\/lib\/[a-z0-9-]+\.js\.map$/;

/** The page for editors, whose files have their hash in their name, and no room for that line either. */
const PAGE = /^runtime\/admin\/(?:index\.html|assets\/[\w.-]+\.(?:js|css))$/;

/** Further files that every build writes. Only ever added to: a project may come from an older version. */
const FILES: ReadonlySet<string> = new Set([
  'content-gen.schema.json',
  'docs/model.md',
  'migrations/migrations.sum',
  'openapi.json',
  'runtime/package.json',
  'runtime/tsconfig.json',
  'test/permission-matrix.json',
]);

/** Whether some build writes a managed file of this path. A new managed file outside of the generated folders is added here. */
export function isManagedPath(path: string): boolean {
  return CODE.test(path) || MAP.test(path) || PAGE.test(path) || FILES.has(path);
}

/** Whether a build can have written this file: its place and, in code, its first line say so. */
export function isGeneratedFile(path: string, { hasHeader }: { readonly hasHeader: boolean }): boolean {
  return isManagedPath(path) && (hasHeader || PAGE.test(path) || !CODE.test(path));
}
