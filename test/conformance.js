// Replays recorded conversations with the reference product against a server generated from their schema:
//
//   node test/conformance.js FOLDER [topic,topic]
//
// Each answer is also held against the project's openapi.json.
//
// FOLDER is that of the conversations in the v4 format, or of those in v5. It holds schema-preview.yaml (in which roles have the permission `preview`) or schema.yaml, cases/ and replay.mjs. Differences that are decisions of ours are listed with their reasons in
// conformance-decisions.json beside this file, or conformance-decisions-v5.json; any other difference fails the run. FOLDER can also be
// conformance-graphql/v4 or conformance-graphql/v5, beside the folders of the REST API, whose schemas it uses. Errors of GraphQL are
// compared by codes and paths, not by their words. DATABASE_URL names
// another database than SQLite: an empty one.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer as createHttpServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { resolve as absolute, basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { answerCheck } from './support/described-answers.js';
import { buildIn, freePort, startServer } from './support/served-folder.js';

const here = dirname(fileURLToPath(import.meta.url));
const [folderArgument, only] = process.argv.slice(2);
const folder = absolute(folderArgument);
/** The version of the conversations in GraphQL; undefined for those of the REST API. */
const graphql = basename(dirname(folder)) === 'conformance-graphql' ? basename(folder) : undefined;
const decisionsFile = graphql
  ? `conformance-decisions-graphql-${graphql}.json`
  : `${basename(folder).replace('conformance', 'conformance-decisions')}.json`;
const decisions = JSON.parse(readFileSync(join(here, decisionsFile), 'utf8'));
const project = mkdtempSync(join(tmpdir(), 'content-gen-conformance-'));

async function generate() {
  const rest = join(folder, '../..', graphql === 'v5' ? 'conformance-v5' : 'conformance');
  const from = graphql ? rest : folder;
  const [withPreview, plain] = [join(from, 'schema-preview.yaml'), join(from, 'schema.yaml')];
  const schema = existsSync(withPreview) ? withPreview : plain;
  if (!graphql) return buildIn(project, schema);
  const extended = join(project, 'schema.yaml');
  writeFileSync(extended, `${readFileSync(schema, 'utf8')}\ngraphql: true\n`);
  await buildIn(project, extended);
}

/** Makes the API tokens that the conversations use; answers the file with their names there and what they are here. */
async function createTokens(environment) {
  const wanted = {
    'oracle-full-token': ['--type', 'full-access'],
    'oracle-read-token': ['--type', 'read-only'],
    'oracle-custom-token': ['--type', 'custom', '--permission', 'vault.find', '--permission', 'vault.create'],
    'oracle-expired-token': ['--type', 'full-access', '--expires', '0s'],
  };
  const tokens = {};
  for (const [name, options] of Object.entries(wanted)) {
    const args = ['run', '--silent', 'server', '--', 'token', 'create', '--name', name, ...options];
    tokens[name] = (await execa('npm', args, { cwd: project, env: environment })).stdout.trim();
  }
  const file = join(project, 'tokens.json');
  writeFileSync(file, JSON.stringify(tokens));
  return file;
}

async function replay(port, tokens) {
  const report = join(project, 'report.json');
  const ofGraphql = graphql ? ['--version', graphql, '--any-message'] : [];
  const program = join(folder, graphql ? '../replay.mjs' : 'replay.mjs');
  const args = [program, ...ofGraphql, '--base', `http://127.0.0.1:${port}`, '--tokens', tokens, '--json', report];
  if (only) args.push('--only', only);
  await execa(process.execPath, args, { stdio: 'inherit', reject: false });
  if (!existsSync(report)) throw new Error('the replay ended without a report');
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** Answers that openapi.json does not describe → how many there were. */
const undescribed = new Map();

/** Sends a request over a connection of its own (one that is used again may be closed just then), and reads its answer whole. */
async function forward({ headers, ...target }, body) {
  // Kept alive until then: by `close`, the client would end it while a body that is answered early is still being sent.
  const agent = new Agent({ keepAlive: true });
  const options = { host: '127.0.0.1', ...target, headers: { ...headers, connection: 'keep-alive' }, agent };
  const answered = new Promise((resolve, reject) => {
    const request = httpRequest(options, resolve);
    request.on('error', reject);
    request.on('close', () => agent.destroy());
    request.end(body);
  });
  const answer = await answered;
  return { status: answer.statusCode, headers: answer.rawHeaders, body: await buffer(answer) };
}

/** Hands requests on to the server, and holds its answers against openapi.json. Those in another format than its own are not described. */
async function watched(port) {
  const check = answerCheck(JSON.parse(readFileSync(join(project, 'openapi.json'), 'utf8')));
  const hand = async (incoming, outgoing) => {
    const { method = '', url = '/', headers } = incoming;
    // Read whole before it is sent on: a body that is answered early would else be left half read, with the next request behind it.
    const sent = await buffer(incoming);
    const answer = await forward({ port, method, path: url, headers }, sent);
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    if (url.startsWith('/graphql')) return;
    if (headers['strapi-response-format'] !== undefined || method === 'HEAD' || method === 'OPTIONS') return;
    const path = decodeURI(new URL(url, 'http://localhost').pathname);
    const found = check({ method, path, status: answer.status, body: answer.body.toString() });
    if (found !== undefined) undescribed.set(found, (undescribed.get(found) ?? 0) + 1);
  };
  const proxy = createHttpServer((incoming, outgoing) => {
    hand(incoming, outgoing).catch((error) => outgoing.destroy(error));
  });
  proxy.keepAliveTimeout = 0;
  const own = await freePort();
  await new Promise((done) => proxy.listen(own, '127.0.0.1', done));
  return { port: own, close: () => proxy.close() };
}

/** What failed and is no decision, and how many cases there were. */
function judge({ topics }) {
  const unexplained = [];
  let cases = 0;
  let decided = 0;
  for (const { topic, cases: list } of topics) {
    for (const { name, ok } of list) {
      cases++;
      if (ok) continue;
      const reason = decisions[topic]?.[name] ?? decisions[topic]?.['*'];
      if (reason) decided++;
      else unexplained.push(`${topic}: ${name}`);
    }
  }
  return { cases, decided, unexplained };
}

let server;
try {
  await generate();
  const port = await freePort();
  const environment = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: process.env.DATABASE_URL ?? 'sqlite:./data/conformance.db',
    JWT_SECRET: 'conformance-conformance-conformance',
    AUTH_RATE_LIMIT: '1000000',
    // Conversations in GraphQL are those of a server in production, where a low cost is refused.
    AUTH_PASSWORD_COST: graphql ? '15' : '8',
    ...(graphql && { NODE_ENV: 'production' }),
    LOG_LEVEL: 'error',
  };
  server = await startServer(project, environment);
  const proxy = await watched(port);
  const report = await replay(proxy.port, await createTokens(environment));
  proxy.close();
  const { cases, decided, unexplained } = judge(report);
  if (unexplained.length > 0) console.log(`Unexplained differences:\n  ${unexplained.join('\n  ')}`);
  console.log(`conformance: ${decided} differences are decisions, listed with their reasons in test/${decisionsFile}`);
  const passed = cases - decided - unexplained.length;
  console.log(`${passed} passed, ${unexplained.length} failed, ${decided} skipped`);
  const share = (of) => `${passed} of ${of} (${((100 * passed) / of).toFixed(1)} %)`;
  console.log(`the same: ${share(cases)}`);
  for (const [text, count] of undescribed) console.log(`${count} × ${text}`);
  console.log(`${undescribed.size} kinds of answers are not those of openapi.json`);
  process.exitCode = unexplained.length + undescribed.size > 0 ? 1 : 0;
} finally {
  server?.kill();
  if (process.env.KEEP_PROJECT) console.log(project);
  else rmSync(project, { recursive: true, force: true });
}
