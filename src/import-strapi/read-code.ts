/** Reads the code of a Strapi project, and the modules that translated code uses. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In bytes. */
const MAX_FILE_SIZE = 1024 * 1024;
const MAX_FILES = 20_000;

const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'public',
  '.cache',
  '.git',
  '.tmp',
  'admin',
]);
const CODE = /\.(?:[cm]?js|m?ts|json)$/u;

const SUPPORT = new URL('../../templates/strapi-code/', import.meta.url);
const SUPPORT_FILES = ['from-strapi.ts', 'schedule.ts'];

/** The scripts and JSON files under `src` and `config`, by path. Links are not followed; huge files are left out. */
export async function readCode(root: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  async function visit(path: string): Promise<void> {
    const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${path}/${entry.name}`;
      if (entry.isDirectory() && (path === 'src/api' || !SKIPPED.has(entry.name))) await visit(name);
      if (!entry.isFile() || !CODE.test(entry.name) || entry.name === 'schema.json' || files.size >= MAX_FILES) {
        continue;
      }
      const { size } = await lstat(join(root, name));
      if (size <= MAX_FILE_SIZE) files.set(name, await readFile(join(root, name), 'utf8'));
    }
  }
  for (const folder of ['src', 'config']) await visit(folder);
  return files;
}

/** The dependencies in package.json; none if it can't be read. */
export async function readDependencies(root: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, unknown>;
    };
    return dependencies ?? {};
  } catch {
    return {};
  }
}

/** The modules that translated code uses: name → text. */
export async function readSupport(): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(
      SUPPORT_FILES.map(async (name) => [name, await readFile(new URL(name, SUPPORT), 'utf8')] as const),
    ),
  );
}
