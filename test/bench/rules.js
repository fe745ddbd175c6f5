// What a rule through two relations costs in large tables, and what a thousand roles changed at runtime cost.
import { execa } from 'execa';
import { prepareProject } from './project.js';
import { migrate, SETTINGS, startGenerated } from './servers.js';
import { median, quantile } from './statistics.js';

/** Number of articles → target of a list with its count, in milliseconds. */
const TARGETS = { 100_000: 30, 1_000_000: 50 };
const CATEGORIES = 1000;
/** Numbers of categories that a user moderates. */
const MODERATED = { few: 20, many: 500 };
const ROLES = 1000;
const ROWS_AT_ONCE = 50_000;
const REQUESTS = 60;
const POSITION_STEP = 2 ** 16;
const PASSWORD = 'Correct-horse-battery-1';
const HEALTH = { path: '/_health' };

const SCHEMA = `name: rules
databases: [sqlite, postgres, mysql]
admin: false
docs: false
contentTypes:
  article:
    attributes:
      title: { type: string, maxLength: 120 }
      category: { type: relation, relation: manyToOne, target: category, inversedBy: articles }
  category:
    pluralName: categories
    attributes:
      name: { type: string }
      moderators: { type: relation, relation: manyToMany, target: user, inversedBy: moderates }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: category }
users:
  attributes:
    moderates: { type: relation, relation: manyToMany, target: category, mappedBy: moderators }
permissions:
  authenticated:
    article: [{ find: { where: { category: { moderators: $user } } } }]
`;

async function addArticles({ numbers, instant }, database, rows) {
  const now = instant('2026-01-02T03:04:05.678Z');
  await database.run(
    `INSERT INTO categories (id, name, created_at, updated_at) SELECT i, 'Category ' || i, ${now}, ${now} FROM ${numbers(CATEGORIES)}`,
  );
  for (let start = 0; start < rows; start += ROWS_AT_ONCE) {
    const source = `(SELECT i + ${start} AS i FROM ${numbers(Math.min(ROWS_AT_ONCE, rows - start))}) AS m`;
    const category = `(i * 7919) % ${CATEGORIES} + 1`;
    await database.run(
      `INSERT INTO articles (id, title, category_id, category_position, created_at, updated_at)
       SELECT i, 'Article ' || i, ${category}, i * ${POSITION_STEP}, ${now}, ${now} FROM ${source}`,
    );
  }
}

/** Makes the user with this id the moderator of the first `count` categories. */
async function addModerator({ numbers }, database, user, count) {
  await database.run(
    `INSERT INTO categories_moderators_links (owner_id, target_id, position, inverse_position)
     SELECT i, ${user}, ${user * POSITION_STEP}, i * ${POSITION_STEP} FROM ${numbers(count)}`,
  );
}

function asker({ port }) {
  return async (method, path, { token, body } = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
}

async function register(ask, username) {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  const { jwt, user } = await ask('POST', '/api/auth/local/register', { body });
  return { token: jwt, id: user.id };
}

/** Median and 90th percentile of a list with its count, in milliseconds. */
async function measureList(ask, { token }) {
  const times = [];
  for (let index = -10; index < REQUESTS; index += 1) {
    const started = performance.now();
    const { data } = await ask('GET', `/api/articles?pagination[page]=${index + 11}`, { token });
    if (data.length === 0) throw new Error('the list is empty');
    if (index >= 0) times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { typical: median(times), slow: quantile(times, 0.9) };
}

/** Requests per second with a thousand further roles, each with a rule of its own, relative to those without. */
async function measureRoles({ ask, env, project, client, server, reader, options }) {
  const request = { method: 'GET', path: '/api/articles', headers: { authorization: `Bearer ${reader.token}` } };
  const perSecond = async (count) =>
    (await client.run({ port: server.port, request, from: 0, count, connections: 4 })).perSecond;
  const rounds = async () => {
    const found = [];
    for (let round = 0; round < options.rounds; round += 1) found.push(await perSecond(200));
    return median(found);
  };
  await perSecond(400);
  const before = await rounds();
  const { stdout } = await execa(
    process.execPath,
    ['dist/generated/command.js', 'token', 'create', '--name', 'bench', '--type', 'full-access'],
    { cwd: project, env },
  );
  const token = /[0-9a-f]{64,}/u.exec(stdout)?.[0] ?? stdout.trim().split(/\s/u).at(-1);
  for (let role = 0; role < ROLES; role += 1) {
    const rule = { where: { category: { name: `Category ${role}` } } };
    const permissions = [{ action: 'article.find', rule }];
    await ask('POST', '/api/users-permissions/roles', { token, body: { name: `Role ${role}`, permissions } });
  }
  return (await rounds()) / before;
}

/** Prints for each number of articles how long lists take. */
export async function measureRules({ client, engineName, engine, options, say }) {
  const project = await prepareProject(SCHEMA, 'rules');
  for (const [rows, target] of Object.entries(TARGETS)) {
    const database = await engine.create(`rules_${rows}`);
    const env = { ...SETTINGS, DATABASE_URL: database.url };
    let server;
    try {
      await migrate(project, database.url);
      await addArticles(engine, database, Number(rows));
      server = await startGenerated(project, database.url, HEALTH);
      const ask = asker(server);
      let reader;
      for (const [name, count] of Object.entries(MODERATED)) {
        reader = await register(ask, name);
        await addModerator(engine, database, reader.id, count);
      }
      for (const table of ['articles', 'categories', 'categories_moderators_links']) {
        const statement = engine.analyze(table);
        if (statement) await database.run(statement);
      }
      for (const [name, count] of Object.entries(MODERATED)) {
        const user = await ask('POST', '/api/auth/local', { body: { identifier: name, password: PASSWORD } });
        const { typical, slow } = await measureList(ask, { token: user.jwt });
        const reached = `${((100 * count) / CATEGORIES).toFixed(0)} % of ${rows} articles`;
        say(
          `  ${engineName} a rule through two relations that reaches ${reached}: ${typical.toFixed(1)} ms, 90th percentile ${slow.toFixed(1)} ms (target ${target})`,
        );
      }
      if (Number(rows) > 100_000) continue;
      const ratio = await measureRoles({ ask, env, project, client, server, reader, options });
      say(`  ${engineName} a list with ${ROLES} further roles: ${ratio.toFixed(2)} of one without (target 0.95)`);
    } finally {
      await server?.stop();
      await database.drop();
    }
  }
}
