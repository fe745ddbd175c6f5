// Strapi 4 and 5: the same project, with the packages of each version.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { content, TYPES } from './content.js';
import { writeFiles } from './installation.js';
import { strapiEntries, strapiRequests } from './strapi-requests.js';

function typeFiles(uid, { plural, fields, relations }) {
  const folder = `src/api/${uid}`;
  const scalar = Object.entries(fields).map(([name, type]) => [name, { type }]);
  const related = Object.entries(relations).map(([name, { target, many }]) => [
    name,
    { type: 'relation', relation: many ? 'manyToMany' : 'manyToOne', target: `api::${target}.${target}` },
  ]);
  const schema = {
    kind: 'collectionType',
    collectionName: plural,
    info: { singularName: uid, pluralName: plural, displayName: uid },
    options: { draftAndPublish: false },
    attributes: Object.fromEntries([...scalar, ...related]),
  };
  const factory = (kind) =>
    `const { factories } = require('@strapi/strapi');\nmodule.exports = factories.createCore${kind}('api::${uid}.${uid}');\n`;
  return {
    [`${folder}/content-types/${uid}/schema.json`]: JSON.stringify(schema),
    [`${folder}/routes/${uid}.js`]: factory('Router'),
    [`${folder}/controllers/${uid}.js`]: factory('Controller'),
    [`${folder}/services/${uid}.js`]: factory('Service'),
  };
}

const SECRET = 'of-the-benchmarks-0123456789';

/** As a new project has them, in production: no logging of requests, and the panel built elsewhere. */
const CONFIG = {
  'config/server.js': `module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['${SECRET}'] } });\n`,
  'config/admin.js': `module.exports = { auth: { secret: '${SECRET}' }, apiToken: { salt: '${SECRET}' }, transfer: { token: { salt: '${SECRET}' } }, serveAdminPanel: false };\n`,
  'config/api.js': 'module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };\n',
  'config/database.js': `const sqlite = (filename) => ({ client: 'sqlite', connection: { filename }, useNullAsDefault: true });
const postgres = (connectionString) => ({ client: 'postgres', connection: { connectionString }, pool: { min: 2, max: 10 } });
module.exports = ({ env }) => ({ connection: env('SQLITE_FILE') ? sqlite(env('SQLITE_FILE')) : postgres(env('DATABASE_URL')) });\n`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::query', 'strapi::body', 'strapi::favicon', 'strapi::public'];\n`,
  'config/logger.js': `module.exports = { level: 'error' };\n`,
  // Fills an empty database below the API: how it is filled is not measured.
  'src/index.js': `const content = require('./content.json');
module.exports = {
  register() {},
  async bootstrap({ strapi }) {
    const db = strapi.db;
    if (await db.query('api::author.author').count()) return;
    const token = await strapi.service('admin::api-token').create({ name: 'bench', type: 'full-access', lifespan: null });
    require('node:fs').writeFileSync('.tmp/token', token.accessKey);
    await db.transaction(async () => {
      for (const [uid, entries] of Object.entries(content)) {
        const query = db.query('api::' + uid + '.' + uid);
        for (const { notes, ...entry } of entries) {
          const { id } = await query.create({ data: entry });
          // Its statements may have as many values as SQLite permits.
          for (let from = 0; from < (notes || []).length; from += 400) {
            await query.update({ where: { id }, data: { notes: { connect: notes.slice(from, from + 400) } } });
          }
        }
      }
    });
  },
};
`,
};

function write(folder, manifest) {
  for (const part of ['src', 'config', '.tmp', 'dist']) rmSync(join(folder, part), { recursive: true, force: true });
  for (const part of ['.tmp', 'public/uploads']) mkdirSync(join(folder, part), { recursive: true });
  const types = Object.entries(TYPES).map(([uid, type]) => typeFiles(uid, type));
  writeFiles(folder, {
    'package.json': JSON.stringify(manifest, undefined, 2),
    'favicon.png': '',
    'src/content.json': JSON.stringify(content()),
    ...Object.assign({}, CONFIG, ...types),
  });
}

/** @returns {import('./content.js').Peer} a version of Strapi. `keysOf` finds what addresses an entry of the running server, `idName` is its name. */
export function strapi({ title, dependencies, overrides, keysOf, idName }) {
  const manifest = { name: 'peer', version: '1.0.0', private: true, dependencies, ...(overrides && { overrides }) };
  return {
    title,
    dependencies,
    install: 'npm install',
    command: 'NODE_ENV=production strapi start',
    write: (folder) => write(folder, manifest),
    env: (_, { file = '', url }) => ({ SQLITE_FILE: file, DATABASE_URL: url, STRAPI_TELEMETRY_DISABLED: 'true' }),
    start: { args: ['node_modules/@strapi/strapi/bin/strapi.js', 'start'], path: '/_health' },
    authorization: (folder) => `Bearer ${readFileSync(join(folder, '.tmp/token'), 'utf8')}`,
    requests: async (origin, authorization) => strapiRequests(await keysOf(origin, authorization), idName),
    entries: strapiEntries,
  };
}
