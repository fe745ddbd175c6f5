/** Unique values that all locales of an entry share stay unique after content has moved to another database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { migrateUp } from '../templates/runtime/src/migrator/migrate.ts';
import { runData } from '../templates/runtime/src/server/commands/run-data.ts';
import { command, createToken } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: claims
databases: [sqlite]
locales: [en, fr]
contentTypes:
  page:
    localized: true
    draftAndPublish: true
    attributes:
      title: { type: string }
      code: { type: string, unique: true, localized: false }
  note:
    localized: true
    attributes:
      title: { type: string }
      code: { type: string, unique: true, localized: false }
`;

it('imported entries claim their values', async () => {
  const project = await openSchema(SCHEMA);
  const folder = await mkdtemp(join(tmpdir(), 'claims-'));
  const file = join(folder, 'all.jsonl');
  const start = async (name: string) => {
    const server = await project.start({}, {}, name);
    const database = await project.open(name);
    const token = await createToken(database, { kind: 'full-access' });
    await database.close();
    const send = (path: string, body: object) => server.send('POST', path, { token, body });
    return { server, send };
  };
  const first = await start('first');
  for (const type of ['pages', 'notes']) {
    const { body } = await first.send(`/api/${type}`, { data: { title: 'one', code: 'c' } });
    await first.send(`/api/${type}/${body.data.id}/localizations`, { locale: 'fr', title: 'un' });
  }
  await first.server.close();
  expect((await command(project, runData, ['export', file], 'first')).code).toBe(0);
  const target = await project.open('second');
  await migrateUp(target, fileURLToPath(project.definition.migrations));
  await target.close();
  const imported = await command(project, runData, ['import', file], 'second');
  expect(imported.code, imported.error).toBe(0);
  const filled = await project.open('second');
  const claims = async (table: string) => {
    const rows = await filled.all(raw(`SELECT * FROM ${table} ORDER BY id`));
    return rows.map((row) => Object.entries(row).find(([name]) => name.endsWith('_claim'))?.[1]);
  };
  // Found by the check of a write, a taken value is refused without them, too, but not if two are written at once.
  expect([await claims('pages_published'), await claims('notes')]).toEqual([['c'], ['c', null]]);
  await filled.close();
  const second = await start('second');
  try {
    for (const type of ['pages', 'notes']) {
      const taken = await second.send(`/api/${type}`, { data: { title: 'two', code: 'c' } });
      expect([type, taken.status, taken.body.error?.details.errors[0].path]).toEqual([type, 400, ['code']]);
      expect((await second.send(`/api/${type}`, { data: { title: 'two', code: 'd' } })).status).toBeLessThan(300);
    }
  } finally {
    await second.server.close();
    await project.remove();
    await rm(folder, { recursive: true, force: true });
  }
});
