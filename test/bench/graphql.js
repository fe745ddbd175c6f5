// What GraphQL costs: one entry relative to the REST API, and a page with blocks and relations.
import { prepareProject } from './project.js';
import { migrate, startGenerated } from './servers.js';
import { median, quantile } from './statistics.js';

const CONNECTIONS = 16;
const ARTICLES = 200;
const BLOCKS = 20;
const RELATIONS_OF_BLOCK = 3;
const PAGE_REQUESTS = 300;
const TARGETS = { one: 0.9, page: { sqlite: 3, postgres: 5, mariadb: 5 } };

const SCHEMA = `name: graphql
databases: [sqlite, postgres, mysql]
admin: false
docs: false
api: { format: v5 }
graphql: true
contentTypes:
  article:
    attributes:
      title: { type: string }
      summary: { type: text }
      rating: { type: integer }
      day: { type: date }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  page:
    attributes:
      title: { type: string }
      blocks: { type: dynamiczone, components: [block.teaser] }
components:
  block.teaser:
    attributes:
      title: { type: string }
      articles: { type: relation, relation: manyWay, target: article }
permissions:
  public: { '*': '*' }
`;

const FIELDS = 'documentId title summary rating day createdAt updatedAt publishedAt';
const ONE = `query ($id: ID!) { article(documentId: $id) { ${FIELDS} } }`;
const PAGE = `query ($id: ID!) {
  page(documentId: $id) {
    title
    blocks { ... on ComponentBlockTeaser { title articles(pagination: { limit: 10 }) { title summary author { name } } } }
  }
}`;

const poster = (port) => async (path, body) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok || answer.errors) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data;
};

const numbered = (count, make) => Array.from({ length: count }, (_, index) => make(index));

async function addContent(post) {
  const add = async (path, data) => (await post(`/api/${path}`, { data })).documentId;
  const authors = [];
  for (const name of ['Ann', 'Bob', 'Cay']) authors.push(await add('authors', { name }));
  const articles = [];
  for (let index = 0; index < ARTICLES; index += 1) {
    const summary = `What article ${index} is about, in a sentence or two.`;
    const author = authors[index % authors.length];
    articles.push(
      await add('articles', { title: `Article ${index}`, summary, rating: index % 6, day: '2026-01-02', author }),
    );
  }
  const blocks = numbered(BLOCKS, (block) => ({
    __component: 'block.teaser',
    title: `Block ${block}`,
    articles: numbered(RELATIONS_OF_BLOCK, (place) => articles[block * RELATIONS_OF_BLOCK + place]),
  }));
  return { articles, page: await add('pages', { title: 'Start', blocks }) };
}

/** Requests per second of one entry, relative to the REST API. */
async function measureOne(client, port, articles, { rounds }) {
  const given = numbered(2000, (index) => articles[index % ARTICLES]);
  const requests = [
    given.map((id) => ({ method: 'GET', path: `/api/articles/${id}` })),
    given.map((id) => ({ method: 'POST', path: '/graphql', body: { query: ONE, variables: { id } } })),
  ];
  const perSecond = async (index) =>
    (await client.run({ port, given: requests[index], connections: CONNECTIONS })).perSecond;
  for (const index of [0, 1, 0, 1]) await perSecond(index);
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) found[index] = await perSecond(index);
    ratios.push(found[1] / found[0]);
  }
  return median(ratios);
}

/** Times of the page, one request after the other, in milliseconds. */
async function measurePageRequests(post, id) {
  const times = [];
  for (let index = -50; index < PAGE_REQUESTS; index += 1) {
    const started = performance.now();
    const { page } = await post('/graphql', { query: PAGE, variables: { id } });
    if (index >= 0) times.push(performance.now() - started);
    if (page.blocks.at(-1).articles.at(-1).author === null) throw new Error('the page is incomplete');
  }
  times.sort((a, b) => a - b);
  return times;
}

/** Measures on one engine. */
export async function measureGraphql({ client, engineName, engine, options, say }) {
  const project = await prepareProject(SCHEMA, 'graphql');
  const database = await engine.create('graphql');
  let server;
  try {
    await migrate(project, database.url);
    server = await startGenerated(project, database.url, { path: '/_health' });
    const post = poster(server.port);
    const { articles, page } = await addContent(post);
    const ratio = await measureOne(client, server.port, articles, options);
    say(`  ${engineName} one entry: ${ratio.toFixed(2)} of the REST API (target ${TARGETS.one})`);
    const times = await measurePageRequests(post, page);
    say(
      `  ${engineName} a page of ${BLOCKS} blocks and ${BLOCKS * RELATIONS_OF_BLOCK} relations: ${median(times).toFixed(1)} ms, 90th percentile ${quantile(times, 0.9).toFixed(1)} ms (target ${TARGETS.page[engineName]})`,
    );
  } finally {
    await server?.stop();
    await database.drop();
  }
}
