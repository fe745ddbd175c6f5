/** The tools of others that read our documents: installed into a folder of their own, as they are heavy and want other packages. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../support/project.ts';

export const TOOLS = join(root, '.tmp/clients');

const WANTED = join(root, 'test/clients/tools/package.json');

/** Installs the tools unless they are there in these versions. */
export async function installTools(): Promise<void> {
  const installed = join(TOOLS, 'node_modules/package.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(WANTED, 'utf8')) return;
  rmSync(TOOLS, { recursive: true, force: true });
  mkdirSync(TOOLS, { recursive: true });
  cpSync(WANTED, join(TOOLS, 'package.json'));
  await execa('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: TOOLS });
  // Written last: it says that the install is complete.
  cpSync(WANTED, installed);
}
