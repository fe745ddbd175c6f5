// The server that content-gen writes, installed as its README says.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { BIN, compileProject } from '../project.js';
import { SETTINGS } from '../servers.js';
import { content, TYPES } from './content.js';
import { KEPT } from './installation.js';
import { strapiEntries, strapiRequests } from './strapi-requests.js';

function attributesOf({ fields, relations }) {
  const scalar = Object.entries(fields).map(([name, type]) => `      ${name}: { type: ${type} }`);
  const related = Object.entries(relations).map(
    ([name, { target, many }]) =>
      `      ${name}: { type: relation, relation: ${many ? 'manyWay' : 'oneWay'}, target: ${target} }`,
  );
  return [...scalar, ...related].join('\n');
}

const SCHEMA = `name: peer
databases: [sqlite, postgres]
admin: false
docs: false
contentTypes:
${Object.entries(TYPES)
  .map(([uid, type]) => `  ${uid}:\n    pluralName: ${type.plural}\n    attributes:\n${attributesOf(type)}`)
  .join('\n')}
`;

async function write(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!KEPT.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeFileSync(join(folder, 'schema.yaml'), SCHEMA);
  await execa(process.execPath, [BIN, 'build', 'schema.yaml', '--out', '.'], { cwd: folder });
}

async function command(folder, env, args) {
  const options = { cwd: folder, env: { ...SETTINGS, ...env } };
  const { stdout } = await execa(process.execPath, ['runtime/bin/command.js', ...args], options);
  return stdout;
}

async function fill(origin, authorization) {
  for (const [uid, entries] of Object.entries(content())) {
    for (const data of entries) {
      const response = await fetch(`${origin}/api/${TYPES[uid].plural}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ data }),
      });
      if (!response.ok) throw new Error(`${uid}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  }
}

/** @type {import('./content.js').Peer} */
export const generated = {
  title: 'content-gen',
  dependencies: {},
  install: 'content-gen build schema.yaml && npm install && npm run build',
  command: 'npm run server -- migrate up && NODE_ENV=production npm start',
  write,
  build: compileProject,
  env: (_, { file, url }) => ({ DATABASE_URL: file ? `sqlite:${file}` : url }),
  prepare: (folder, env) => command(folder, env, ['migrate', 'up']),
  start: { args: ['runtime/bin/command.js', 'start'], path: '/_health' },
  authorization: async (folder, env) => {
    const name = `bench-${Date.now()}`;
    const printed = await command(folder, env, ['token', 'create', '--name', name, '--type', 'full-access']);
    return `Bearer ${printed.trim().split(/\s+/u).at(-1)}`;
  },
  fill,
  requests: () => strapiRequests((_, number) => number),
  entries: strapiEntries,
};
