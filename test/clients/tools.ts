/** The tools of others that read our documents: installed into folders of their own, as they are heavy and want other packages. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../support/project.ts';

export const TOOLS = join(root, '.tmp/clients');

/** Installs what `test/clients/NAME/package.json` wants into a folder, unless it is there in these versions. */
async function install(name: string, folder: string): Promise<void> {
  const wanted = join(root, 'test/clients', name, 'package.json');
  const installed = join(folder, 'node_modules/package.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8')) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(wanted, join(folder, 'package.json'));
  // What is told of peers is not wanted: gatsby itself would be a thousand packages.
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--legacy-peer-deps'];
  await execa('npm', args, { cwd: folder });
  // Written last: it says that the install is complete.
  cpSync(wanted, installed);
}

/** Validators, generators and what drives a browser. */
export function installTools(): Promise<void> {
  return install('tools', TOOLS);
}

/** Generators of which the newest versions need Node 22, and that Node. */
export const TOOLS_22 = join(root, '.tmp/clients-22');

export function installTools22(): Promise<void> {
  return install('tools-22', TOOLS_22);
}

/** gatsby-source-strapi, without gatsby; answers where it is. */
export async function installGatsby(): Promise<string> {
  const folder = join(root, '.tmp/gatsby');
  await install('gatsby', folder);
  return folder;
}
