// Moves recorded projects of the reference product, and asks the new servers what the old ones were asked:
//
//   node test/imports.js FOLDER [strapi4|strapi5]
//
// FOLDER holds a folder for each version, with an export (magazine.tar.gz), the project that it is of (project/) and the answers that
// it gave (answers.json), and compare.mjs, which asks a server for them. The schema is derived from the export and from the
// project, which must give the same model; it is built, the content is imported, and the answers are compared. What differs by a
// decision of ours is listed with its reason in imports-decisions.json beside this file; any other difference fails the run.
// DATABASE_URL names another database than SQLite, for one version: an empty one.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { execa } from 'execa';
import { withoutLocations } from '../dist/emit/without-locations.js';
import { readModels } from '../dist/read-models.js';
import { loadSources } from '../dist/schema/load-sources.js';
import { differences } from './support/recorded-answers.js';
import { bin, buildIn, freePort, startServer } from './support/served-folder.js';

const here = dirname(fileURLToPath(import.meta.url));
const [folderArgument, only] = process.argv.slice(2);
const folder = resolve(folderArgument);
const decisionsFile = 'imports-decisions.json';
const decisions = JSON.parse(readFileSync(join(here, decisionsFile), 'utf8'));
let failures = 0;

function fail(message, lines = []) {
  failures += 1;
  console.log([message, ...lines.map((line) => `  ${line}`)].join('\n'));
}

/** What the two sources of a schema have in common: all but roles, locales and the views of the admin panel, which are content. */
async function modelOf(cwd, file) {
  const { models } = readModels(await loadSources([file], cwd));
  const { contentTypes, components, api } = withoutLocations(models.model);
  const isView = (key) => key === 'admin';
  return JSON.parse(
    JSON.stringify({ contentTypes, components, api }, (key, value) => (isView(key) ? undefined : value)),
  );
}

/** Derives the schema from both sources, and answers the file of the one from the export. */
async function deriveSchema(source, project, version) {
  const derive = (from, out, ...args) =>
    execa(process.execPath, [bin, 'import', 'strapi', join(source, from), '--out', out, ...args], { cwd: project });
  await derive('magazine.tar.gz', 'archive.yaml');
  await derive('project', 'folder.yaml', '--strapi', String(version));
  const [archive, own] = [await modelOf(project, 'archive.yaml'), await modelOf(project, 'folder.yaml')];
  if (!isDeepStrictEqual(archive, own)) fail('The export and the folder of the project give different models');
  const schema = join(project, 'archive.yaml');
  writeFileSync(schema, `${readFileSync(schema, 'utf8')}\ndatabases: [sqlite, postgres, mysql]\n`);
  return schema;
}

/** Imports the export. */
async function importArchive(source, project, environment, { values, left }) {
  writeFileSync(join(project, 'strapi-decisions.json'), JSON.stringify({ decisions: values }));
  const report = join(project, 'import.json');
  const options = { cwd: project, env: environment };
  await execa('npm', ['run', '--silent', 'server', '--', 'migrate', 'up'], options);
  const args = ['data', 'import-strapi', join(source, 'magazine.tar.gz'), '--report', report];
  const { exitCode, stderr } = await execa(process.execPath, [bin, ...args], { ...options, reject: false });
  if (exitCode !== 4) throw new Error(`the import ended with ${exitCode}: ${stderr}`);
  const imported = JSON.parse(readFileSync(report, 'utf8'));
  const found = imported.findings.filter(({ kind }) => kind === 'left').map(({ what, count }) => `${what}: ${count}`);
  if (!isDeepStrictEqual(found.sort(), [...left].sort())) fail('Other content than expected was left behind:', found);
}

/** Asks the server what compare.mjs found a difference in, and answers the lines that no decision explains. */
async function explain(base, { cases, logins, multipleMedia }, failed, { answers }) {
  const used = new Set();
  const unexplained = [];
  const tokens = {};
  const judge = (name, lines) => {
    const rest = lines.filter((line) => {
      const decision = answers.find((one) => new RegExp(one.cases ?? '').test(name) && new RegExp(one.what).test(line));
      if (decision) used.add(decision);
      return !decision;
    });
    if (rest.length > 0) unexplained.push(`${name}\n    ${rest.slice(0, 6).join('\n    ')}`);
  };
  const options = { showsDrafts: false, files: new Set(multipleMedia) };
  for (const { name, identifier, password, user } of logins) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ identifier, password });
    const answer = await (await fetch(`${base}/api/auth/local`, { method: 'POST', headers, body })).json();
    tokens[name] = answer.jwt;
    const sign = `login: ${name}`;
    if (user && failed.has(`${sign} /api/auth/local`)) judge(sign, differences(user, answer.user, options));
  }
  for (const { name, path, as, headers = {}, status, body, bytes } of cases) {
    if (!failed.has(`${name} ${path}`)) continue;
    const authorization = as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` };
    const response = await fetch(base + path, { headers: { ...headers, ...authorization } });
    if (response.status !== status || bytes) unexplained.push(`${name}: ${response.status} instead of ${status}`);
    else {
      const showsDrafts = path.includes('status=draft');
      judge(name, differences(body, await response.json(), { ...options, showsDrafts }));
    }
  }
  for (const { what, reason } of answers.filter((one) => !used.has(one))) {
    fail(`A decision explains nothing any more: ${what} (${reason})`);
  }
  return unexplained;
}

async function compare(base, source, project, decided) {
  const answersFile = join(source, 'answers.json');
  const results = join(project, 'compared.json');
  const args = ['--base', base, '--answers', answersFile, '--json', results, '--show', '0'];
  const { stdout } = await execa(process.execPath, [join(folder, 'compare.mjs'), ...args], { reject: false });
  if (!existsSync(results)) throw new Error(`compare.mjs ended without results: ${stdout}`);
  console.log(stdout.split('\n').at(-1));
  const bad = JSON.parse(readFileSync(results, 'utf8')).filter(({ ok, quirk }) => !ok && !quirk);
  const failed = new Set(bad.map(({ name, path }) => `${name} ${path}`));
  const answers = JSON.parse(readFileSync(answersFile, 'utf8'));
  const unexplained = await explain(base, answers, failed, decided);
  if (unexplained.length > 0) fail('Unexplained differences:', unexplained);
  console.log(
    `${failed.size - unexplained.length} of ${failed.size} differ by decisions, listed in test/${decisionsFile}`,
  );
}

async function move(name) {
  const source = join(folder, name);
  const decided = decisions[name];
  const project = mkdtempSync(join(tmpdir(), 'content-gen-imports-'));
  let server;
  try {
    await buildIn(project, await deriveSchema(source, project, name.at(-1)));
    const environment = {
      ...process.env,
      PORT: String(await freePort()),
      DATABASE_URL: process.env.DATABASE_URL ?? 'sqlite:./data/imported.db',
      JWT_SECRET: 'imports-imports-imports-imports-imports',
      AUTH_RATE_LIMIT: '1000000',
      AUTH_PASSWORD_COST: '8',
      LOG_LEVEL: 'error',
    };
    await importArchive(source, project, environment, decided);
    server = await startServer(project, environment);
    await compare(`http://127.0.0.1:${environment.PORT}`, source, project, decided);
  } finally {
    server?.kill();
    if (process.env.KEEP_PROJECT) console.log(project);
    else rmSync(project, { recursive: true, force: true });
  }
}

for (const name of Object.keys(decisions)) {
  if (only !== undefined && only !== name) continue;
  console.log(`${name}:`);
  await move(name);
}
process.exitCode = failures > 0 ? 1 : 0;
