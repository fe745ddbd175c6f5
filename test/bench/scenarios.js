// The scenarios, with the target ratio between the generated and the hand-written server.
import { articleValues, COUNTS, STATUSES, tagsOf } from './seed.js';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {unknown} [data]
 * @property {Readonly<Record<string, string>>} [headers]
 *
 * @typedef {object} Scenario
 * @property {string} title
 * @property {'reads' | 'writes' | 'formats' | 'features'} part
 * @property {{ sqlite: number, servers: number }} target Requests per second relative to the hand-written server.
 * @property {(index: number) => Request} request The request with this number, from 0. Writes differ for each number.
 */

const get = (path) => ({ method: 'GET', path });
const put = (article, data) => ({ method: 'PUT', path: `/api/articles/${article}`, data });

const articleOf = (index) => (index % COUNTS.article) + 1;
const pageOf = (index) => (index % (COUNTS.article / 25)) + 1;
const query = (parameters) => parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

/** How frontends look up the entry of a URL. There are more slugs than query strings that a server would cache. */
const bySlug = (article) => get(`/api/articles?${query([['filters[slug][$eq]', articleValues(article).slug]])}`);

const POPULATE = ['author', 'category', 'tags'].map((name, index) => [`populate[${index}]`, name]);

/** A tag that the article does not have initially, a different one each time. */
function otherTag(article, index) {
  const own = tagsOf(article);
  let tag = ((article * 11 + Math.floor(index / COUNTS.article) * 17) % COUNTS.tag) + 1;
  while (own.includes(tag)) tag = (tag % COUNTS.tag) + 1;
  return tag;
}

function creation(index) {
  const values = articleValues(COUNTS.article + 1 + index);
  const [first, second, third] = tagsOf(index);
  const author = (index % COUNTS.author) + 1;
  const category = (index % COUNTS.category) + 1;
  return {
    method: 'POST',
    path: '/api/articles',
    data: { ...values, author, category, tags: { connect: [first, second, third] } },
  };
}

const READS = { sqlite: 1, servers: 1 };
const WRITES = { sqlite: 0.8, servers: 0.9 };

/** @type {Record<string, Scenario>} */
export const scenarios = {
  one: {
    title: 'get one',
    part: 'reads',
    target: { ...READS, sqlite: 0.95 },
    request: (index) => get(`/api/articles/${articleOf(index)}`),
  },
  list: {
    title: 'list of 25',
    part: 'reads',
    target: { ...READS, sqlite: 1.5 },
    request: (index) => get(`/api/articles?${query([['pagination[page]', pageOf(index)]])}`),
  },
  populated: {
    title: 'list of 25, three populated',
    part: 'reads',
    target: { ...READS, sqlite: 2 },
    request: (index) => get(`/api/articles?${query([...POPULATE, ['pagination[page]', pageOf(index)]])}`),
  },
  filtered: {
    title: 'filtered and sorted, deep filter',
    part: 'reads',
    target: READS,
    request: (index) =>
      get(
        `/api/articles?${query([
          ['filters[author][name][$eq]', `Author ${(index % COUNTS.author) + 1}`],
          ['filters[status][$eq]', STATUSES[index % STATUSES.length]],
          ['sort[0]', 'publishedOn:desc'],
          ['sort[1]', 'title'],
        ])}`,
      ),
  },
  slug: {
    title: 'by slug, ever another one',
    part: 'reads',
    target: READS,
    request: (index) => bySlug(articleOf(index)),
  },
  sameSlug: {
    title: 'by slug, always the same',
    part: 'reads',
    target: READS,
    request: () => bySlug(1),
  },
  create: { title: 'create with relations', part: 'writes', target: WRITES, request: creation },
  update: {
    title: 'update',
    part: 'writes',
    target: WRITES,
    request: (index) =>
      put(articleOf(index), { summary: `Changed ${index} times.`, status: STATUSES[index % 3], views: index % 1000 }),
  },
  connect: {
    title: 'connect one',
    part: 'writes',
    target: WRITES,
    request: (index) => put(articleOf(index), { tags: { connect: [otherTag(articleOf(index), index)] } }),
  },
  before: {
    title: 'connect one before another',
    part: 'writes',
    target: WRITES,
    request: (index) => {
      const article = articleOf(index);
      const connect = [{ id: otherTag(article, index), position: { before: tagsOf(article)[1] } }];
      return put(article, { tags: { connect } });
    },
  },
};

/** Writes whose requests have a key, a different one for each process of the client, too. */
const RUN = process.pid;
for (const name of ['create', 'update']) {
  const { title, request } = scenarios[name];
  scenarios[`${name}-keyed`] = {
    title: `${title}, with a key`,
    part: 'features',
    request: (index) => ({ ...request(index), headers: { 'Idempotency-Key': `${RUN}-${name}-${index}` } }),
  };
}

/** Reads that are measured in both formats. */
export const FORMAT_READS = ['list', 'populated', 'filtered'];

for (const name of FORMAT_READS) {
  const { title, request } = scenarios[name];
  for (const format of ['v4', 'v5']) {
    scenarios[`${name}-${format}`] = {
      title: `${title}, ${format}`,
      part: 'formats',
      request: (index) => ({ ...request(index), headers: { 'Strapi-Response-Format': format } }),
    };
  }
}
