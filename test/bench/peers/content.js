// What all peers store, and what is asked of them, in no peer's own terms.
import { articleValues, COUNTS, tagsOf } from '../seed.js';

/** Lengths of the lists to which an entry is connected, and notes that are in none of them. */
const LISTS = [10, 10_000];
const SPARE_NOTES = 500;
/** Relations of the nested page. */
const BLOCKS = 60;
const PAGE_SIZE = 25;
const STATES = ['idea', 'draft', 'ready'];

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

/** What a request is about, given its number. Entries are numbers. */
export const ASKED = {
  article: (index) => (index % COUNTS.article) + 1,
  pageSize: PAGE_SIZE,
  page: (index) => (index % (COUNTS.article / PAGE_SIZE)) + 1,
  authorName: (index) => `Author ${(index % COUNTS.author) + 1}`,
  state: (index) => STATES[index % STATES.length],
  created: (index) => ({
    values: values(COUNTS.article + 1 + index),
    author: (index % COUNTS.author) + 1,
    tags: tagsOf(index),
  }),
  /** In none of the lists, until it is connected. */
  note: (index) => Math.max(...LISTS) + 1 + (index % SPARE_NOTES),
};

/** The lists: the number of the shelf, and of the note in its middle. */
export const SHELVES = LISTS.map((size, index) => ({ size, shelf: index + 1, middle: size / 2 }));
export const atEnd = (size) => `connect at the end of ${size}`;
export const beforeOne = (size) => `connect before one of ${size}`;

/** Requests that only read. */
export const READS = {
  'get one': 'article',
  'list of 25': 'article',
  'list of 25, populated': 'article',
  'filtered and sorted': 'article',
  'page of 60 relations': 'page',
};

/** All requests that are measured, in the order of the report. */
export const SCENARIOS = [...Object.keys(READS), 'create', ...LISTS.flatMap((size) => [atEnd(size), beforeOne(size)])];

/**
 * @typedef {object} PeerRequest
 * @property {'GET' | 'POST' | 'PUT' | 'PATCH'} method
 * @property {string} path
 * @property {object} [body]
 *
 * @typedef {object} Peer
 * @property {string} title
 * @property {Record<string, string>} dependencies The pinned packages that the report names.
 * @property {string} install The commands that install it, as shown in the report.
 * @property {string} command The command that starts it, as shown in the report.
 * @property {Record<string, string>} [notes] Why a scenario is left out, by its name.
 * @property {(folder: string) => Promise<void> | void} write Writes its project, but no packages.
 * @property {(folder: string, env: object) => Promise<void>} [build] Once for all databases, after its packages are installed.
 * @property {(folder: string, database: PeerDatabase) => object} env Environment of its server.
 * @property {(folder: string, env: object) => Promise<void>} [prepare] Creates what the empty database needs before the server starts.
 * @property {{ args: string[], path: string }} start Arguments of Node, and a path that answers without a token.
 * @property {(folder: string, env: object) => Promise<string> | string} authorization Value of the header, with all rights.
 * @property {(origin: string, authorization: string, database: PeerDatabase) => Promise<void>} [fill] Fills the database of the running server.
 * @property {(origin: string, authorization: string) => Promise<Record<string, (index: number) => PeerRequest>>} requests By scenario, and
 *   `shelf`, which reads the first shelf with its notes.
 * @property {(answer: unknown, uid: string) => unknown} entries What its answer holds: an entry or a list, with relations as entries.
 *
 * @typedef {object} PeerDatabase
 * @property {'sqlite' | 'postgres'} engineName
 * @property {string} [file] Of SQLite.
 * @property {string} url
 * @property {(table: string, rows: object[]) => Promise<void>} insert For peers that take minutes to be filled by their API.
 */
