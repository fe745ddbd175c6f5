// Payload 3 in Next.js, as its blank template has it, without the panel.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { SETTINGS } from '../servers.js';
import { ASKED, content, SCENARIOS, TYPES } from './content.js';
import { writeFiles } from './installation.js';

const dependencies = {
  payload: '3.90.2',
  '@payloadcms/next': '3.90.2',
  '@payloadcms/db-sqlite': '3.90.2',
  '@payloadcms/db-postgres': '3.90.2',
  graphql: '16.14.2',
  next: '16.4.6',
  react: '19.2.1',
  'react-dom': '19.2.1',
};
const KEY = '01234567-89ab-cdef-0123-456789abcdef';
const CLI = 'node_modules/payload/bin.js';
const NEXT = 'node_modules/next/dist/bin/next';

const FIELD_TYPES = {
  string: 'text',
  text: 'textarea',
  decimal: 'number',
  date: 'date',
  boolean: 'checkbox',
  integer: 'number',
};

const collections = Object.values(TYPES).map(({ plural, fields, relations }) => ({
  slug: plural,
  fields: [
    ...Object.entries(fields).map(([name, type]) => ({ name, type: FIELD_TYPES[type] })),
    ...Object.entries(relations).map(([name, { target, many }]) => ({
      name,
      type: 'relationship',
      relationTo: TYPES[target].plural,
      hasMany: many,
    })),
  ],
}));

/** Its documentation advises WAL for SQLite, and migrations in production. */
const CONFIG = `import { postgresAdapter } from '@payloadcms/db-postgres';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { buildConfig } from 'payload';

const url = process.env.DATABASE_URL;
const migrationDir = \`\${process.cwd()}/migrations/\${url?.startsWith('postgres') ? 'postgres' : 'sqlite'}\`;

export default buildConfig({
  secret: process.env.PAYLOAD_SECRET,
  telemetry: false,
  admin: { user: 'users', disable: true },
  db: url?.startsWith('postgres')
    ? postgresAdapter({ pool: { connectionString: url }, migrationDir })
    : sqliteAdapter({ client: { url }, wal: true, migrationDir }),
  collections: [{ slug: 'users', auth: { useAPIKey: true }, fields: [] }, ...${JSON.stringify(collections)}],
});
`;

/** A user with an API key. */
const SEED = `import { getPayload } from 'payload';
import config from './payload.config.js';

const payload = await getPayload({ config });
const user = { email: 'bench@example.com', password: '${KEY}', enableAPIKey: true, apiKey: '${KEY}' };
await payload.create({ collection: 'users', data: user });
process.exit(0);
`;

const ROUTE = `import config from '@payload-config';
import { REST_DELETE, REST_GET, REST_OPTIONS, REST_PATCH, REST_POST, REST_PUT } from '@payloadcms/next/routes';

export const GET = REST_GET(config);
export const POST = REST_POST(config);
export const DELETE = REST_DELETE(config);
export const PATCH = REST_PATCH(config);
export const PUT = REST_PUT(config);
export const OPTIONS = REST_OPTIONS(config);
`;

const FILES = {
  'package.json': JSON.stringify({ name: 'peer', version: '1.0.0', private: true, type: 'module', dependencies }),
  'jsconfig.json': JSON.stringify({
    compilerOptions: { baseUrl: '.', paths: { '@payload-config': ['./src/payload.config.js'] } },
  }),
  'next.config.mjs': `import { withPayload } from '@payloadcms/next/withPayload';
export default withPayload({ turbopack: { root: import.meta.dirname } }, { devBundleServerPackages: false });
`,
  'src/payload.config.js': CONFIG,
  'src/seed.js': SEED,
  'src/app/(payload)/api/[...slug]/route.js': ROUTE,
};

const VARIABLES = {
  PAYLOAD_SECRET: 'of-the-benchmarks-0123456789',
  PAYLOAD_CONFIG_PATH: 'src/payload.config.js',
  NEXT_TELEMETRY_DISABLED: '1',
};

async function run(folder, env, args) {
  await execa(process.execPath, args, { cwd: folder, env: { ...SETTINGS, ...VARIABLES, ...env } });
}

async function prepare(folder, env) {
  const name = env.DATABASE_URL.startsWith('postgres') ? 'postgres' : 'sqlite';
  rmSync(join(folder, 'migrations', name), { recursive: true, force: true });
  writeFiles(folder, { [`migrations/${name}/.keep`]: '' });
  await run(folder, env, [CLI, 'migrate:create', 'first']);
  await run(folder, env, [CLI, 'migrate']);
  await run(folder, env, [CLI, 'run', 'src/seed.js']);
}

const columnOf = (name) => name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

/** The row of an entry in the table of its collection. */
function rowOf(uid, entry) {
  const { fields, relations } = TYPES[uid];
  const columns = Object.entries(fields).map(([name, type]) => [
    columnOf(name),
    type === 'date' ? `${entry[name]}T00:00:00.000Z` : entry[name],
  ]);
  const references = Object.keys(relations).filter((name) => !relations[name].many);
  return Object.fromEntries([...columns, ...references.map((name) => [`${columnOf(name)}_id`, entry[name]])]);
}

/** Fills the database below the API, as a list of 10,000 is more than it inserts at once: how it is filled is not measured. */
async function fill(_, __, database) {
  for (const [uid, entries] of Object.entries(content())) {
    const { plural, relations } = TYPES[uid];
    await database.insert(
      plural,
      entries.map((entry) => rowOf(uid, entry)),
    );
    for (const [path, { target, many }] of Object.entries(relations)) {
      if (!many) continue;
      const list = (entry, index) =>
        entry[path].map((id, place) => ({
          order: place + 1,
          parent_id: index + 1,
          path,
          [`${TYPES[target].plural}_id`]: id,
        }));
      await database.insert(`${plural}_rels`, entries.flatMap(list));
    }
  }
}

const get = (path) => ({ method: 'GET', path: `/api/${path}` });
const page = (index) => `limit=${ASKED.pageSize}&page=${ASKED.page(index)}&sort=title`;
/** Attributes alone. */
const PLAIN = 'depth=0&select[author]=false&select[tags]=false';

const requests = () => ({
  'get one': (index) => get(`articles/${ASKED.article(index)}?${PLAIN}`),
  'list of 25': (index) => get(`articles?${PLAIN}&${page(index)}`),
  'list of 25, populated': (index) => get(`articles?depth=1&${page(index)}`),
  'filtered and sorted': (index) =>
    get(
      `articles?${PLAIN}&where[author.name][equals]=${encodeURIComponent(ASKED.authorName(index))}&where[state][equals]=${ASKED.state(index)}&sort=-publishedOn,title&limit=${ASKED.pageSize}`,
    ),
  'page of 60 relations': () => get('pages/1?depth=2'),
  shelf: () => get('shelves/1?depth=1'),
  create: (index) => {
    const { values, author, tags } = ASKED.created(index);
    return { method: 'POST', path: `/api/articles?${PLAIN}`, body: { ...values, author, tags } };
  },
});

/** Dates are times; relations of attributes alone are ids. */
function entryOf(uid, entry) {
  const { fields, relations } = TYPES[uid];
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => {
      if (fields[name] === 'date') return [name, value.slice(0, 'YYYY-MM-DD'.length)];
      const { target, many } = relations[name] ?? {};
      if (many) return [name, value.map((one) => entryOf(target, one))];
      return [name, target ? entryOf(target, value) : value];
    }),
  );
}

/** @type {import('./content.js').Peer} */
export const payload = {
  title: 'Payload 3',
  dependencies,
  install: 'npm install && next build',
  command: 'payload migrate && NODE_ENV=production next start',
  notes: Object.fromEntries(
    SCENARIOS.filter((name) => name.startsWith('connect')).map((name) => [
      name,
      'a list is replaced by a whole one; no request connects one entry',
    ]),
  ),
  write: (folder) => writeFiles(folder, FILES),
  build: (folder) => run(folder, {}, [NEXT, 'build']),
  env: (_, { file, url }) => ({ ...VARIABLES, DATABASE_URL: file ? `file:${file}` : url }),
  prepare,
  start: { args: [NEXT, 'start', '-H', '127.0.0.1'], path: '/api/access' },
  fill,
  authorization: () => `users API-Key ${KEY}`,
  requests,
  entries: (answer, uid) =>
    answer.docs ? answer.docs.map((entry) => entryOf(uid, entry)) : entryOf(uid, answer.doc ?? answer),
};
