// `npm run bench -- [parts] [engines] [--quick] [--profile]`: compares a generated server with one written by hand for
// the same endpoints, and measures how costs grow with size, and build times. Nothing is asserted, since figures depend
// on the machine.
import { parseArgs } from 'node:util';
import { measureBuilds } from './builds.js';
import { compare } from './compare.js';
import { canMeasureCosts, measureCosts } from './costs.js';
import { measureDeliveries } from './deliveries.js';
import { engines } from './engines.js';
import { measureFeatures } from './features.js';
import { measureFormats } from './formats.js';
import { measureGraphql } from './graphql.js';
import { measureImages } from './images.js';
import { startClient } from './load.js';
import { measureMany } from './many.js';
import { measurePage } from './page.js';
import { prepareProject } from './project.js';
import { comparisonLine, writeReport } from './report.js';
import { measureRules } from './rules.js';
import { scenarios } from './scenarios.js';
import { measureSizes } from './sizes.js';
import { measureStarts } from './start-up.js';
import { hasWrk, measureWorkers } from './workers.js';

/** Parts that don't depend on the engine. */
const OTHERS = ['builds', 'page', 'images'];
const PARTS = [
  'reads',
  'writes',
  'formats',
  'features',
  'deliveries',
  'start',
  'sizes',
  'workers',
  'costs',
  'many',
  'rules',
  'graphql',
  ...OTHERS,
];
const NAMES = [...PARTS, ...Object.keys(engines)];

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, profile: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. What can be chosen: ${NAMES.join(', ')}; --quick, --profile.`);
  process.exit(2);
}

/** The members of `all` that were named on the command line; all if none was. */
function chosenOf(all) {
  const chosen = all.filter((name) => positionals.includes(name));
  return chosen.length > 0 ? chosen : all;
}

const parts = new Set(chosenOf(PARTS));
const options = { ...flags, rounds: flags.quick ? 3 : 11, seconds: flags.quick ? 0.4 : 0.6 };
const report = { versions: [], skipped: [], comparisons: [], starts: [], sizes: [], builds: [] };
const say = (line) => console.log(line);

async function measureAllCores(common) {
  say(`${common.engine.title}: one worker and two`);
  if (await hasWrk()) await measureWorkers({ ...common, say });
  else say('  skipped: wrk is not installed');
}

async function measureEngine(client, project, engineName) {
  const engine = engines[engineName];
  try {
    report.versions.push([engineName, await engine.version()]);
  } catch (error) {
    report.skipped.push(`${engine.title} is skipped: it can't be reached (${error.code ?? error.message})`);
    say(report.skipped.at(-1));
    return;
  }
  const common = { client, project, engineName, engine, options };
  const names = Object.keys(scenarios).filter(
    (name) => parts.has(scenarios[name].part) && !['formats', 'features'].includes(scenarios[name].part),
  );
  if (names.length > 0) {
    say(`${engine.title}: compared with a hand-written server`);
    report.comparisons.push(...(await compare({ ...common, names, say: (result) => say(comparisonLine(result)) })));
  }
  if (parts.has('formats')) {
    say(`${engine.title}: formats`);
    await measureFormats({ ...common, say });
  }
  if (parts.has('features')) {
    say(`${engine.title}: with and without a feature`);
    await measureFeatures({ ...common, say });
  }
  if (parts.has('deliveries')) {
    say(`${engine.title}: deliveries of webhooks`);
    await measureDeliveries({ ...common, say });
  }
  if (parts.has('start')) {
    say(`${engine.title}: start`);
    report.starts.push(await measureStarts(common));
  }
  if (parts.has('sizes')) {
    say(`${engine.title}: sizes`);
    report.sizes.push(await measureSizes(common));
  }
  if (parts.has('costs')) {
    say(`${engine.title}: CPU time per request`);
    if (canMeasureCosts) await measureCosts({ ...common, say });
    else say('  skipped: requires Linux');
  }
  if (parts.has('many')) {
    say(`${engine.title}: many entries at a time`);
    await measureMany({ ...common, say });
  }
  if (parts.has('rules')) {
    say(`${engine.title}: rules in large tables`);
    await measureRules({ ...common, say });
  }
  if (parts.has('graphql')) {
    say(`${engine.title}: GraphQL`);
    await measureGraphql({ ...common, say });
  }
  if (parts.has('workers')) await measureAllCores(common);
}

async function measureEngines() {
  const project = await prepareProject();
  const client = startClient();
  try {
    for (const engineName of chosenOf(Object.keys(engines))) await measureEngine(client, project, engineName);
  } finally {
    client.stop();
  }
}

try {
  if (PARTS.some((part) => !OTHERS.includes(part) && parts.has(part))) await measureEngines();
  if (parts.has('builds')) {
    say('the generator');
    report.builds.push(...(await measureBuilds({ options, say })));
  }
  if (parts.has('page')) {
    say('the admin panel');
    await measurePage({ say });
  }
  if (parts.has('images')) {
    say('images');
    await measureImages({ say });
  }
} finally {
  say(`\n${writeReport(report)}`);
}
