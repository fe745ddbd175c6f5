/** Clients of others, and the runtimes and browsers that ours runs in: installed into a folder of their own. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { root } from '../../support/project.ts';

export const INSTALLED = join(root, '.tmp/third-party');

const WANTED = join(root, 'test/clients/third-party/package.json');
const PROGRAMS = join(root, 'test/clients/programs');

/** Installs all of them unless they are there in these versions. */
export async function installThirdParty(): Promise<void> {
  const installed = join(INSTALLED, 'node_modules/package.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(WANTED, 'utf8')) return;
  rmSync(INSTALLED, { recursive: true, force: true });
  mkdirSync(INSTALLED, { recursive: true });
  cpSync(WANTED, join(INSTALLED, 'package.json'));
  await execa('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: INSTALLED });
  // Written last: it says that the install is complete.
  cpSync(WANTED, installed);
}

type Drive = (origin: string, ...more: string[]) => Promise<Record<string, unknown>>;

/** What a program of `test/clients/programs` exports. `aliases`: names that it imports → files beside it. */
export async function loadProgram(name: string, aliases: Readonly<Record<string, string>> = {}): Promise<Drive> {
  for (const file of [name, ...Object.values(aliases)]) cpSync(join(PROGRAMS, file), join(INSTALLED, file));
  const outfile = join(INSTALLED, `${name}.bundle.mjs`);
  await build({
    entryPoints: [join(INSTALLED, name)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    alias: Object.fromEntries(Object.entries(aliases).map(([from, file]) => [from, join(INSTALLED, file)])),
    // It reads files beside itself.
    external: ['jsdom'],
    define: { 'import.meta.server': 'true' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return ((await import(pathToFileURL(outfile).href)) as { drive: Drive }).drive;
}
