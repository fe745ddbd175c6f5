// What all peers store, and the requests that all of them get.
import { articleValues, COUNTS, tagsOf } from '../seed.js';

/** Lengths of the lists to which an entry is connected, and notes that are in none of them. */
export const LISTS = [10, 10_000];
export const SPARE_NOTES = 500;
/** Relations of the nested page. */
const BLOCKS = 60;

const range = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** `status` is a name of its own in some peers. */
function values(index) {
  const { status: state, ...others } = articleValues(index);
  return { ...others, state };
}

/** All entries in the order of their ids, from 1. Relations are numbers. */
export function content() {
  return {
    author: range(COUNTS.author).map((index) => ({ name: `Author ${index}` })),
    tag: range(COUNTS.tag).map((index) => ({ name: `Tag ${index}` })),
    article: range(COUNTS.article).map((index) => ({
      ...values(index),
      author: (index % COUNTS.author) + 1,
      tags: tagsOf(index),
    })),
    page: [{ title: 'Start', articles: range(BLOCKS) }],
    note: range(Math.max(...LISTS) + SPARE_NOTES).map((index) => ({ title: `Note ${index}` })),
    shelf: LISTS.map((size) => ({ name: `${size} notes`, notes: range(size) })),
  };
}

/** The attributes of each type, for peers to translate. `many`: an ordered list. */
export const TYPES = {
  author: { plural: 'authors', fields: { name: 'string' }, relations: {} },
  tag: { plural: 'tags', fields: { name: 'string' }, relations: {} },
  article: {
    plural: 'articles',
    fields: {
      title: 'string',
      slug: 'string',
      summary: 'text',
      body: 'text',
      state: 'string',
      rating: 'decimal',
      publishedOn: 'date',
      featured: 'boolean',
      views: 'integer',
    },
    relations: { author: { target: 'author', many: false }, tags: { target: 'tag', many: true } },
  },
  page: { plural: 'pages', fields: { title: 'string' }, relations: { articles: { target: 'article', many: true } } },
  note: { plural: 'notes', fields: { title: 'string' }, relations: {} },
  shelf: { plural: 'shelves', fields: { name: 'string' }, relations: { notes: { target: 'note', many: true } } },
};

const STATUSES = ['idea', 'draft', 'ready'];
const spare = (index) => Math.max(...LISTS) + 1 + (index % SPARE_NOTES);

/**
 * The scenarios in the terms of the REST API of Strapi 4. `key`: how the peer addresses the entry with a number. Each takes the number of
 * the request.
 */
export function scenarios(key) {
  const get = (path) => ({ method: 'GET', path: `/api/${path}` });
  const connect = (shelf, index, position) => ({
    method: 'PUT',
    path: `/api/shelves/${key('shelf', shelf + 1)}`,
    data: { notes: { connect: [{ id: key('note', spare(index)), position }] } },
  });
  const before = (shelf) => ({ before: key('note', Math.floor(LISTS[shelf] / 2)) });
  return {
    'get one': (index) => get(`articles/${key('article', (index % COUNTS.article) + 1)}`),
    'list of 25': (index) => get(`articles?pagination[page]=${(index % 40) + 1}&pagination[pageSize]=25&sort=title`),
    'list of 25, populated': (index) =>
      get(
        `articles?populate[0]=author&populate[1]=tags&pagination[page]=${(index % 40) + 1}&pagination[pageSize]=25&sort=title`,
      ),
    'filtered and sorted': (index) =>
      get(
        `articles?filters[author][name][$eq]=Author%20${(index % COUNTS.author) + 1}&filters[state][$eq]=${STATUSES[index % 3]}&sort[0]=publishedOn:desc&sort[1]=title`,
      ),
    'page of 60 relations': () =>
      get(`pages/${key('page', 1)}?populate[articles][populate][0]=author&populate[articles][populate][1]=tags`),
    create: (index) => ({
      method: 'POST',
      path: '/api/articles',
      data: {
        ...values(COUNTS.article + 1 + index),
        author: key('author', (index % COUNTS.author) + 1),
        tags: tagsOf(index).map((tag) => key('tag', tag)),
      },
    }),
    ...Object.fromEntries(
      LISTS.flatMap((size, shelf) => [
        [`connect at the end of ${size}`, (index) => connect(shelf, index, { end: true })],
        [`connect before one of ${size}`, (index) => connect(shelf, index, before(shelf))],
      ]),
    ),
  };
}

/** Scenarios whose answers are compared. */
export const COMPARED = [
  'get one',
  'list of 25',
  'list of 25, populated',
  'filtered and sorted',
  'page of 60 relations',
];

/** An answer without what differs by design: ids of documents, times of writing, envelopes, and attributes of a peer's own. */
export function comparable(value, type = undefined) {
  if (Array.isArray(value)) return value.map((one) => comparable(one, type));
  if (typeof value !== 'object' || value === null) return value;
  if ('data' in value) return comparable(value.data, type);
  const flat = { ...value, ...value.attributes };
  const known = type ? { ...TYPES[type].fields, ...TYPES[type].relations } : {};
  return Object.fromEntries(
    Object.keys(known)
      .filter((name) => flat[name] !== undefined)
      .map((name) => [name, comparable(flat[name], TYPES[type].relations[name]?.target)]),
  );
}

/** The type of the entries that a scenario reads. */
export const typeOf = (scenario) => (scenario.startsWith('page') ? 'page' : 'article');
