// `npm run bench:peers -- [peers] [engines] [--quick] [--folder FOLDER]`: the same content and the same requests in other content servers
// that npm installs, each as its documentation starts it in production. They are installed into a cache outside of this repository, or into
// --folder. Answers are compared before anything is measured. What fails is reported, and leaves the others alone.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { engines } from '../engines.js';
import { startClient } from '../load.js';
import { PEER_ENGINES } from './databases.js';
import { directus } from './directus.js';
import { generated } from './generated.js';
import { CACHE, install } from './installation.js';
import { LONGEST_MESSAGE, measurePeers, reasonOf } from './measure.js';
import { payload } from './payload.js';
import { report } from './report.js';
import { strapi4 } from './strapi-4.js';
import { strapi5 } from './strapi-5.js';

const PEERS = { generated, strapi4, strapi5, directus, payload };

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', default: CACHE }, quick: { type: 'boolean', default: false } },
});
const NAMES = [...Object.keys(PEERS), ...Object.keys(PEER_ENGINES)];
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}. What can be chosen: ${NAMES.join(', ')}; --quick, --folder FOLDER.`,
  );
  process.exit(2);
}

/** The names of `all` that are on the command line; all if none is. */
function chosenOf(all) {
  const chosen = Object.keys(all).filter((name) => positionals.includes(name));
  return chosen.length > 0 ? chosen : Object.keys(all);
}

const options = flags.quick ? { rounds: 3, seconds: 0.3 } : { rounds: 5, seconds: 1 };
const say = (line) => console.log(line);

async function installAll() {
  const installed = [];
  const skipped = [];
  for (const name of chosenOf(PEERS)) {
    const peer = PEERS[name];
    const own = join(flags.folder, name);
    say(`${peer.title}: ${peer.install}`);
    try {
      installed.push({ name, peer, own, size: await install(peer, own) });
    } catch (error) {
      skipped.push(`${peer.title}: ${reasonOf(error)}`);
      say(`  left out: ${error.message.slice(0, LONGEST_MESSAGE)}`);
    }
  }
  return { installed, skipped };
}

async function measureEngine(client, installed, engineName) {
  const { title, version } = engines[engineName];
  const found = await version().catch((error) => {
    say(`${title} is skipped: it can't be reached (${error.code ?? error.message})`);
  });
  if (found === undefined) return [];
  say(`${title} ${found}`);
  return [{ title, version: found, ...(await measurePeers({ client, installed, engineName, options, say })) }];
}

const { installed, skipped } = await installAll();
if (installed.length === 0) {
  console.error(`No server could be installed into ${flags.folder}, so there is nothing to measure.`);
  process.exit(1);
}
const client = startClient();
try {
  const measured = [];
  for (const engineName of chosenOf(PEER_ENGINES)) {
    measured.push(...(await measureEngine(client, installed, engineName)));
  }
  say(`\n${report({ measured, installed, skipped, options })}\n\nInstallations are kept in ${flags.folder}.`);
} finally {
  client.stop();
}
