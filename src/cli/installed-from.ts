/** Where this content-gen was installed from, so that a new project depends on the same one. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from './version.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** The origin that npm recorded on installation; undefined if it recorded none. */
function resolvedBy(lockFile: string): string | undefined {
  if (!existsSync(lockFile)) return undefined;
  const lock = JSON.parse(readFileSync(lockFile, 'utf8')) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>;
  };
  return lock.packages?.[`node_modules/${basename(ROOT)}`]?.resolved;
}

function fileSpec(path: string, from: string): string {
  const shown = relative(from, path).split(sep).join('/');
  return `file:${shown === '' ? '.' : shown}`;
}

/**
 * The npm specifier for `devDependencies` of the project in `folder`: a relative path to a folder or tarball, a
 * repository, or a version range.
 */
export function installedFrom(folder: string): string {
  const modules = dirname(ROOT);
  if (basename(modules) !== 'node_modules') return fileSpec(ROOT, folder);
  const resolved = resolvedBy(join(modules, '.package-lock.json'));
  if (resolved?.startsWith('file:')) return fileSpec(resolve(dirname(modules), resolved.slice('file:'.length)), folder);
  if (resolved !== undefined && !/^https?:/.test(resolved)) return resolved;
  return `^${packageVersion()}`;
}

/**
 * A warning about a specifier that leads out of the project: `npm ci` needs that file or folder, and CI and Docker don't
 * have it. Empty for other specifiers.
 */
export function outsideNote(specifier: string): string {
  if (!specifier.startsWith('file:../')) return '';
  const path = specifier.slice('file:'.length);
  const isPacked = path.endsWith('.tgz');
  const name = isPacked ? basename(path) : 'content-gen-….tgz';
  const packed = isPacked ? `cp ${path} .` : `npm pack ${path}`;
  return `content-gen is installed from ${path}, outside of the project. CI and Docker don't have that, so npm ci fails there. To keep a packed file in the project: ${packed} && npm install --save-dev ./${name}\n`;
}
