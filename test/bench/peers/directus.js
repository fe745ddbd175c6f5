// Directus, the newest that supports Node 20. Ordered lists are collections between two others, as its panel creates them.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { SETTINGS } from '../servers.js';
import { ASKED, atEnd, beforeOne, content, SHELVES, TYPES } from './content.js';
import { writeFiles } from './installation.js';

const dependencies = { directus: '11.3.5', sqlite3: '5.1.7', pg: '8.13.0' };
const TOKEN = 'of-the-benchmarks-0123456789';
const CLI = 'node_modules/directus/cli.js';

function env(_, { file, url }) {
  const database = file ? { DB_CLIENT: 'sqlite3', DB_FILENAME: file } : { DB_CLIENT: 'pg', DB_CONNECTION_STRING: url };
  return {
    ...database,
    DATABASE_URL: url,
    SECRET: TOKEN,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: TOKEN,
    ADMIN_TOKEN: TOKEN,
    SERVE_APP: 'false',
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
    // It would answer the load of a benchmark with 503.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
}

const plural = (uid) => TYPES[uid].plural;
const between = (uid, name) => `${plural(uid)}_${name}`;
const idOf = (uid) => `${plural(uid)}_id`;
const ID = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };

/** What its panel says of a column of a type. */
const SPECIAL = { boolean: { special: ['cast-boolean'] } };

/** The requests that create the tables: collections, then what relates them. */
function* tables() {
  for (const { plural: collection, fields } of Object.values(TYPES)) {
    const columns = Object.entries(fields).map(([field, type]) => ({
      field,
      type,
      schema: {},
      meta: SPECIAL[type] ?? {},
    }));
    yield ['collections', { collection, schema: {}, meta: {}, fields: [ID, ...columns] }];
  }
  for (const [uid, { relations }] of Object.entries(TYPES)) {
    for (const [name, { target, many }] of Object.entries(relations)) {
      if (many) yield* listTables(uid, name, target);
      else yield* referenceTables(uid, name, target);
    }
  }
}

function* referenceTables(uid, field, target) {
  yield [`fields/${plural(uid)}`, { field, type: 'integer', schema: {}, meta: { special: ['m2o'] } }];
  const schema = { on_delete: 'SET NULL' };
  yield ['relations', { collection: plural(uid), field, related_collection: plural(target), schema, meta: {} }];
}

function* listTables(uid, name, target) {
  const collection = between(uid, name);
  const columns = [idOf(uid), idOf(target), 'sort'].map((field) => ({ field, type: 'integer', schema: {} }));
  yield ['collections', { collection, schema: {}, meta: { hidden: true }, fields: [ID, ...columns] }];
  yield [`fields/${plural(uid)}`, { field: name, type: 'alias', meta: { special: ['m2m'] } }];
  const sides = [
    [uid, { one_field: name, junction_field: idOf(target), sort_field: 'sort' }],
    [target, { junction_field: idOf(uid) }],
  ];
  for (const [side, meta] of sides) {
    const schema = { on_delete: 'CASCADE' };
    yield ['relations', { collection, field: idOf(side), related_collection: plural(side), schema, meta }];
  }
}

/** The rows of an entry's lists, as they are created below it. */
const listOf = (uid, name, numbers) => numbers.map((number) => ({ [idOf(TYPES[uid].relations[name].target)]: number }));

function* rows() {
  for (const [uid, entries] of Object.entries(content())) {
    const lists = Object.entries(TYPES[uid].relations).filter(([, { many }]) => many);
    const listNames = new Set(lists.map(([name]) => name));
    yield [
      plural(uid),
      entries.map((entry) => Object.fromEntries(Object.entries(entry).filter(([name]) => !listNames.has(name)))),
    ];
    for (const name of listNames) {
      const ofEntry = (entry, index) =>
        listOf(uid, name, entry[name]).map((row, place) => ({ ...row, [idOf(uid)]: index + 1, sort: place + 1 }));
      yield [between(uid, name), entries.flatMap(ofEntry)];
    }
  }
}

/** Creates the tables by its API, and fills them below it: how they are filled is not measured. */
async function fill(origin, authorization, database) {
  const post = async (path, body) => {
    const headers = { 'content-type': 'application/json', authorization };
    const response = await fetch(`${origin}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  };
  for (const [path, body] of tables()) await post(path, body);
  for (const [table, all] of rows()) await database.insert(table, all);
}

const fieldsOf = (uid, prefix = '') => Object.keys({ id: '', ...TYPES[uid].fields }).map((name) => prefix + name);
const PLAIN = fieldsOf('article').join();
const POPULATED = [PLAIN, ...fieldsOf('author', 'author.'), ...fieldsOf('tag', 'tags.tags_id.')].join();
const get = (path) => ({ method: 'GET', path: `/items/${path}` });
const page = (index) => `limit=${ASKED.pageSize}&page=${ASKED.page(index)}&sort=title&meta=filter_count`;

function requests() {
  const connect = (shelf, index) => ({
    method: 'PATCH',
    path: `/items/shelves/${shelf}?fields=id,name`,
    body: { notes: { create: listOf('shelf', 'notes', [ASKED.note(index)]), update: [], delete: [] } },
  });
  return {
    'get one': (index) => get(`articles/${ASKED.article(index)}?fields=${PLAIN}`),
    'list of 25': (index) => get(`articles?fields=${PLAIN}&${page(index)}`),
    'list of 25, populated': (index) => get(`articles?fields=${POPULATED}&${page(index)}`),
    'filtered and sorted': (index) =>
      get(
        `articles?fields=${PLAIN}&filter[author][name][_eq]=${encodeURIComponent(ASKED.authorName(index))}&filter[state][_eq]=${ASKED.state(index)}&sort=-publishedOn,title&limit=${ASKED.pageSize}&meta=filter_count`,
      ),
    'page of 60 relations': () => {
      const nested = POPULATED.split(',').map((field) => `articles.articles_id.${field}`);
      return get(`pages/1?fields=id,title,${nested.join()}`);
    },
    shelf: () => get('shelves/1?fields=id,name,notes.notes_id.id,notes.notes_id.title'),
    create: (index) => {
      const { values, author, tags } = ASKED.created(index);
      const body = { ...values, author, tags: listOf('article', 'tags', tags) };
      return { method: 'POST', path: `/items/articles?fields=${PLAIN}`, body };
    },
    ...Object.fromEntries(SHELVES.map(({ size, shelf }) => [atEnd(size), (index) => connect(shelf, index)])),
  };
}

/** Decimals are texts on PostgreSQL; rows of lists hold the entry. */
function entryOf(uid, entry) {
  const { fields, relations } = TYPES[uid];
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      if (fields[name] === 'decimal') return [name, Number(value)];
      const { target, many } = relations[name] ?? {};
      if (many) return [name, value.map((row) => entryOf(target, row[idOf(target)]))];
      return [name, target ? entryOf(target, value) : value];
    }),
  );
}

/** @type {import('./content.js').Peer} */
export const directus = {
  title: 'Directus',
  dependencies,
  install: 'npm install',
  command: 'directus bootstrap && NODE_ENV=production SERVE_APP=false PRESSURE_LIMITER_ENABLED=false directus start',
  notes: Object.fromEntries(
    SHELVES.map(({ size }) => [beforeOne(size), 'a place in a list takes a second request, which moves the new row']),
  ),
  write: (folder) =>
    writeFiles(folder, {
      'package.json': JSON.stringify({ name: 'peer', version: '1.0.0', private: true, dependencies }),
    }),
  env,
  prepare: async (folder, variables) => {
    rmSync(join(folder, 'uploads'), { recursive: true, force: true });
    await execa(process.execPath, [CLI, 'bootstrap'], { cwd: folder, env: { ...SETTINGS, ...variables } });
  },
  start: { args: [CLI, 'start'], path: '/server/ping' },
  authorization: () => `Bearer ${TOKEN}`,
  fill,
  requests,
  entries: ({ data }, uid) => (Array.isArray(data) ? data.map((entry) => entryOf(uid, entry)) : entryOf(uid, data)),
};
