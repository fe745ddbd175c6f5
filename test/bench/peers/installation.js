// The folders of peers: their packages stay in a cache outside of this repository, so that only the first run installs them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

/** What was installed and built, as hashes. */
const STAMP = 'installed.json';
/** Names in the folder of a peer that rewriting its project must not delete. */
export const KEPT = ['node_modules', 'package-lock.json', STAMP];

const NO_NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/u;

export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'content-gen', 'peers');

const hash = (text) => createHash('sha256').update(text).digest('hex');
const readIfExists = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '{}');

/** Writes files by path; returns their hash. */
export function writeFiles(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return hash(JSON.stringify(files));
}

async function installPackages(folder) {
  for (const name of KEPT) rmSync(join(folder, name), { recursive: true, force: true });
  try {
    await execa('npm', ['install', '--no-audit', '--no-fund', '--fetch-retries=1'], { cwd: folder });
  } catch (error) {
    const [code] = NO_NETWORK.exec(error.stderr) ?? [];
    if (code === undefined) throw error;
    throw new Error(
      `its packages are not in ${folder}, and npm can't reach its registry (${code}). Connect this machine, or pass --folder with one where they are installed.`,
      { cause: error },
    );
  }
}

/** Installs and builds a peer, unless that is done. Returns the size of its packages in MB. */
export async function install(peer, folder) {
  mkdirSync(folder, { recursive: true });
  const project = await peer.write(folder);
  const packages = hash(readFileSync(join(folder, 'package.json'), 'utf8'));
  const stamp = join(folder, STAMP);
  const done = JSON.parse(readIfExists(stamp));
  if (done.packages !== packages) {
    await installPackages(folder);
    writeFileSync(stamp, JSON.stringify({ packages }));
  }
  if (peer.build && (project === undefined || done.packages !== packages || done.project !== project)) {
    await peer.build(folder);
  }
  writeFileSync(stamp, JSON.stringify({ packages, project }));
  const { stdout } = await execa('du', ['-sm', join(folder, 'node_modules')]);
  return Number.parseInt(stdout, 10);
}
