// `npm run bench:million -- [engines] [--rows 1000000]`: how long requests take with a million articles of 2 kB, and with a
// thousand. The articles exist before the schema declares indexes, so that the migration that creates them is measured. It needs
// 15 GB and half an hour for each engine; the databases are deleted afterwards.
import { Agent, request as httpRequest } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { engines } from './engines.js';
import { output } from './paths.js';
import { BIN, prepareProject } from './project.js';
import { migrate, startGenerated } from './servers.js';
import { median } from './statistics.js';

const FEW = 1000;
const ROWS_AT_ONCE = 20_000;
const REQUESTS = 60;

/** The scenario that is also measured without its index. */
const IN_COMPONENT = 'filtered in a component';
const REQUESTS_WITHOUT_INDEX = 5;

/** The target for every measured request, in milliseconds. */
const TARGET = 10;

const { positionals, values: flags } = parseArgs({
  allowPositionals: true,
  options: { rows: { type: 'string', default: '1000000' } },
});
const many = Number(flags.rows);
const chosen = Object.keys(engines).filter((name) => positionals.length === 0 || positionals.includes(name));

function schema(indexed) {
  return `name: million
databases: [sqlite, postgres, mysql]
admin: false
docs: false
contentTypes:
  article:
${indexed ? '    indexes: [[status, -rating], [seo.metaTitle]]\n    search: [title^3, body]' : ''}
    attributes:
      title: { type: string, maxLength: 120 }
      slug: { type: uid }
      body: { type: richtext }
      status: { type: enumeration, enum: [idea, draft, ready] }
      rating: { type: integer }
      day: { type: date${indexed ? ', index: true' : ''} }
      seo: { type: component, component: shared.seo }
components:
  shared.seo:
    attributes:
      metaTitle: { type: string, maxLength: 60 }
      metaDescription: { type: text }
permissions:
  public: { article: [find, findOne, update] }
`;
}

/** The words that all articles have in common. RARE with the number of an article is a word of that article alone. */
const SENTENCE = 'Everything that a reader wants to know is said here in plain words and at some length ';
const RARE = 'word';

/** SQL of the body of article `i`, about 2 kB. */
function bodyOf(engineName) {
  const own = engineName === 'mariadb' ? `CONCAT('${RARE}', i, ' ')` : `'${RARE}' || i || ' '`;
  const text = SENTENCE.repeat(22);
  return engineName === 'mariadb' ? `CONCAT(${own}, '${text}')` : `${own} || '${text}'`;
}

function dayOf(engineName) {
  const number = '(i * 7919) % 9000';
  if (engineName === 'sqlite') return `date('2000-01-01', '+' || (${number}) || ' days')`;
  return engineName === 'postgres'
    ? `date '2000-01-01' + ((${number})::int)`
    : `DATE_ADD('2000-01-01', INTERVAL ${number} DAY)`;
}

/** SQL of a component of article `i`, about 0.3 kB. */
function seoOf(text) {
  const description = SENTENCE.repeat(3).trim();
  return text('{"id":', `,"metaTitle":"Title `, `","metaDescription":"${description}"}`);
}

async function seed(engineName, database, rows) {
  const { numbers, instant, analyze } = engines[engineName];
  const now = instant('2026-01-02T03:04:05.678Z');
  for (let start = 0; start < rows; start += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, rows - start);
    const source = `(SELECT i + ${start} AS i FROM ${numbers(count)}) AS m`;
    const concat = (...parts) => (engineName === 'mariadb' ? `CONCAT(${parts.join(', ')})` : parts.join(' || '));
    const text = (prefix) => concat(`'${prefix}'`, 'i');
    const seo = seoOf((...parts) =>
      concat(...parts.flatMap((part, at) => (at === 0 ? [] : ['i']).concat(`'${part}'`))),
    );
    await database.run(
      `INSERT INTO articles (id, title, slug, body, status, rating, day, seo, created_at, updated_at)
       SELECT i, ${text('Article ')}, ${text('article-')}, ${bodyOf(engineName)},
         CASE i % 3 WHEN 0 THEN 'idea' WHEN 1 THEN 'draft' ELSE 'ready' END, (i * 31) % 100000, ${dayOf(engineName)}, ${engineName === 'postgres' ? `(${seo})::json` : seo}, ${now}, ${now}
       FROM ${source}`,
    );
  }
  return analyze;
}

function createAsker({ port }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  function ask(path) {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      httpRequest({ host: '127.0.0.1', port, path: encodeURI(path), agent }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('end', () => {
          const time = performance.now() - started;
          const body = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve({ time, body: JSON.parse(body) });
          else reject(new Error(`${path} returned ${response.statusCode}: ${body.slice(0, 300)}`));
        });
      })
        .once('error', reject)
        .end();
    });
  }
  return { ask, close: () => agent.destroy() };
}

/** A cursor near the end of the list: that of the first page, with the position of one of the last entries. */
async function cursorAtEnd(ask, sort, field) {
  const last = (await ask(`/api/articles?sort=${sort}:desc&pagination[pageSize]=100&pagination[withCount]=false`)).body;
  const entry = last.data.at(-1);
  const { next } = (await ask(`/api/articles?sort=${sort}&pagination[after]=&pagination[pageSize]=1`)).body.meta
    .pagination;
  const place = Buffer.from(JSON.stringify([entry.attributes[field], entry.id - 1])).toString('base64url');
  return next.slice(0, 12) + place;
}

/** Scenario → function from a number to the path of a request. */
async function scenariosOf(ask, rows) {
  const number = (index) => 1 + ((index * 7919) % rows);
  const noCount = 'pagination[withCount]=false';
  const end = await cursorAtEnd(ask, 'day', 'day');
  return {
    'get one': (index) => `/api/articles/${number(index)}`,
    'by slug': (index) => `/api/articles?filters[slug]=article-${number(index)}`,
    'filtered and sorted': (index) =>
      `/api/articles?filters[status]=ready&filters[rating][$lt]=${40_000 + (number(index) % 60_000)}&sort=rating:desc&${noCount}`,
    [IN_COMPONENT]: (index) => `/api/articles?filters[seo][metaTitle]=Title ${number(index)}&${noCount}`,
    'sorted in a component': () => `/api/articles?sort=seo.metaTitle:desc&${noCount}`,
    'sorted by day': () => `/api/articles?sort=day&${noCount}`,
    'sorted by day, descending': () => `/api/articles?sort=day:desc&${noCount}`,
    'from one day on': (index) => `/api/articles?sort=day&filters[day][$gte]=2010-01-${10 + (index % 19)}&${noCount}`,
    'a page by key, first': () => '/api/articles?sort=day&pagination[after]=',
    'a page by key, at the end': () => `/api/articles?sort=day&pagination[after]=${end}`,
    'a search': (index) => `/api/articles?_q=${RARE}${number(index)}&${noCount}`,
    'a search of two words': (index) => `/api/articles?_q=${RARE}${number(index)} reader&${noCount}`,
  };
}

/** Scenario → median and maximum of `requests` requests, after a warm-up. */
async function measure(project, url, rows, { only, requests } = { only: undefined, requests: REQUESTS }) {
  const server = await startGenerated(project, url);
  const asker = createAsker(server);
  const figures = {};
  try {
    const first = Math.floor(requests / 6);
    for (const [name, request] of Object.entries(await scenariosOf(asker.ask, rows))) {
      if (only !== undefined && name !== only) continue;
      const times = [];
      for (let index = 0; index < requests + first; index += 1) {
        const { time, body } = await asker.ask(request(index));
        if (Array.isArray(body.data) && body.data.length === 0) throw new Error(`${name} finds nothing`);
        if (index >= first) times.push(time);
      }
      times.sort((a, b) => a - b);
      figures[name] = { median: median(times), slowest: times.at(-1) };
    }
  } finally {
    asker.close();
    await server.stop();
  }
  return figures;
}

async function measureWith(engineName, rows) {
  const say = (text) => console.log(`${engineName}, ${rows} articles: ${text}`);
  const timed = async (what, work) => {
    const started = performance.now();
    const result = await work();
    say(`${what} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return result;
  };
  const name = `million-${engineName}`;
  const project = await prepareProject(schema(false), name);
  const database = await engines[engineName].create(`million_${rows}`);
  try {
    await migrate(project, database.url);
    const analyze = await timed('written', () => seed(engineName, database, rows));
    const without = await measure(project, database.url, rows, {
      only: IN_COMPONENT,
      requests: REQUESTS_WITHOUT_INDEX,
    });
    say(`${IN_COMPONENT}, without an index: ${without[IN_COMPONENT].median.toFixed(1)} ms`);
    const file = join(output, `${name}.yaml`);
    writeFileSync(file, schema(true));
    await execa(process.execPath, [
      BIN,
      'build',
      file,
      '--out',
      project,
      '--allow-destructive',
      'article.seo.metaTitle',
    ]);
    await execa(process.execPath, [join(output, '../../node_modules/typescript-7.0/bin/tsc'), '-b'], { cwd: project });
    await timed('indexes made', () => migrate(project, database.url));
    const statement = analyze('articles');
    if (statement) await database.run(statement);
    return await measure(project, database.url, rows);
  } finally {
    await database.drop();
  }
}

function row(name, few, figures) {
  const { median: middle, slowest } = figures[name];
  const mark = middle > TARGET ? ' (slower than it should be)' : '';
  return `  ${name.padEnd(28)} ${few[name].median.toFixed(2).padStart(8)} ${middle.toFixed(2).padStart(8)} ${slowest.toFixed(2).padStart(8)}${mark}`;
}

for (const engineName of chosen) {
  const few = await measureWith(engineName, FEW);
  const figures = await measureWith(engineName, many);
  console.log(`${engines[engineName].title}, in milliseconds: among ${FEW}, among ${many}, the slowest of these`);
  for (const name of Object.keys(figures)) console.log(row(name, few, figures));
}
