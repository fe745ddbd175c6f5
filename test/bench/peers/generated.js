// The server that content-gen writes, installed as its README says.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { BIN, compileProject } from '../project.js';
import { SETTINGS } from '../servers.js';
import { content, TYPES } from './content.js';

function attributesOf({ fields, relations }) {
  const scalar = Object.entries(fields).map(([name, type]) => `      ${name}: { type: ${type} }`);
  const related = Object.entries(relations).map(
    ([name, { target, many }]) =>
      `      ${name}: { type: relation, relation: ${many ? 'manyWay' : 'oneWay'}, target: ${target} }`,
  );
  return [...scalar, ...related].join('\n');
}

const SCHEMA = `name: peer
databases: [sqlite]
admin: false
docs: false
contentTypes:
${Object.entries(TYPES)
  .map(([uid, type]) => `  ${uid}:\n    pluralName: ${type.plural}\n    attributes:\n${attributesOf(type)}`)
  .join('\n')}
`;

async function fill(origin, headers) {
  for (const [uid, entries] of Object.entries(content())) {
    for (const data of entries) {
      const response = await fetch(`${origin}/api/${TYPES[uid].plural}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ data }),
      });
      if (!response.ok) throw new Error(`${uid}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  }
}

/** A token of the database beside the project. */
async function tokenOf(folder) {
  const args = ['runtime/bin/command.js', 'token', 'create', '--name', `bench-${Date.now()}`, '--type', 'full-access'];
  const { stdout } = await execa(process.execPath, args, { cwd: folder, env: { ...SETTINGS, DATABASE_URL: '' } });
  return stdout.trim().split(/\s+/u).at(-1);
}

export const generated = {
  title: 'content-gen',
  dependencies: {},
  install: 'content-gen build schema.yaml && npm install && npm run build',
  command: 'NODE_ENV=production npm start',
  write: async (folder) => {
    mkdirSync(folder, { recursive: true });
    // Of a former run, only the packages are kept.
    for (const name of readdirSync(folder)) {
      if (name !== 'node_modules') rmSync(join(folder, name), { recursive: true, force: true });
    }
    writeFileSync(join(folder, 'schema.yaml'), SCHEMA);
    await execa(process.execPath, [BIN, 'build', 'schema.yaml', '--out', '.'], { cwd: folder });
  },
  built: compileProject,
  start: { args: ['runtime/bin/command.js', 'start'], path: '/_health' },
  tokenOf,
  fill,
  keysOf: () => (_, number) => number,
};
