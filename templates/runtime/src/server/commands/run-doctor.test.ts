/** `npm run server -- doctor`. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { definition as everywhere } from '../../../test-support/projects/members/src/generated/app.ts';
import { definition } from '../../../test-support/projects/desk/src/generated/app.ts';
import { command, createToken, openProject, type TestProject } from '../../../test-support/test-project.ts';
import { DEFAULT_DATABASE_SETTINGS } from '../../database/database-settings.ts';
import { sql } from '../../database/sql.ts';
import { checkTraces } from '../doctor/check-traces.ts';
import { tracesSettings } from '../traces/traces-settings.ts';
import { readSettings } from '../settings.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { runDoctor } from './run-doctor.ts';

let project: TestProject;
const uploads = () => join(dirname(project.urlOf('test').slice('sqlite:'.length)), 'uploads');
beforeAll(async () => {
  project = await openProject(definition);
  process.env['UPLOAD_DIR'] = uploads();
});
afterAll(async () => {
  delete process.env['UPLOAD_DIR'];
  await project?.remove();
});

interface Finding {
  readonly state: string;
  readonly about: string;
  readonly text: string;
}

/** The exit code and the findings for the database `name`. */
async function examine(name = 'test'): Promise<{ readonly code: number; readonly found: readonly Finding[] }> {
  const { code, out } = await command(project, runDoctor, ['--json'], name);
  return { code, found: JSON.parse(out) as Finding[] };
}

const stateOf = (found: readonly Finding[], about: string) =>
  found.filter((one) => one.about === about).map(({ state }) => state);

test('finds a healthy server, and problems with its files, permissions and migrations', async () => {
  const server = await project.start();
  const database = await project.open();
  const token = await createToken(database, { kind: 'full-access' });
  const form = new FormData();
  form.append('files', new Blob(['some text'], { type: 'text/plain' }), 'note.txt');
  const headers = { Authorization: `Bearer ${token}` };
  expect((await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form, headers })).status).toBeLessThan(
    300,
  );

  const well = await examine();
  expect(well.code).toBe(0);
  for (const about of ['database', 'migrations', 'permissions', 'writing', 'files']) {
    expect([about, stateOf(well.found, about)]).toEqual([about, ['good']]);
  }
  expect(stateOf(well.found, 'backups')).toEqual(['warning']);
  expect((await command(project, runDoctor, [])).out).toMatch(
    /^ok {4}settings .*\n(?:.*\n)*0 wrong, \d+ warnings, \d+ good\n$/u,
  );

  const [stored = ''] = (await readdir(uploads())).filter((name) => name.endsWith('.txt'));
  rmSync(join(uploads(), stored));
  await database.run(
    sql`DELETE FROM user_role_permissions WHERE role_id = (SELECT MAX(role_id) FROM user_role_permissions)`,
  );
  const ill = await examine();
  expect(ill.code).toBe(1);
  expect(stateOf(ill.found, 'files')).toEqual(['bad']);
  expect(stateOf(ill.found, 'permissions')).toEqual(['warning']);

  await database.run(sql`UPDATE _migrations SET checksum = 'another'`);
  const changed = await examine();
  expect(changed.code).toBe(1);
  expect(stateOf(changed.found, 'migrations')).toEqual(['bad']);
  await database.close();
  await server.close();
});

test('reports wrong settings, and a missing database', async () => {
  process.env['PORT'] = 'many';
  const wrong = await examine();
  delete process.env['PORT'];
  expect(wrong).toMatchObject({ code: 1, found: [{ state: 'bad', about: 'settings' }] });
  expect(wrong.found[0]?.text).toContain('PORT must be a port');
  process.env['HOST'] = '999.1.1.1';
  expect((await examine()).found[0]?.text).toContain('HOST must be an IP address or the name of a host');
  delete process.env['HOST'];
  expect((await command(project, runDoctor, ['--all'])).code).toBe(2);
});

test.each((await testedEngines()).filter((dialect) => dialect !== 'sqlite'))(
  'asks %s for its time and its connections',
  async (dialect) => {
    const { database, drop } = await openEngine(dialect, 'doctor');
    try {
      const settings = readSettings(everywhere.name, {});
      const found = await checkDatabase(database, settings);
      expect(found.map(({ state, about }) => [about, state])).toEqual([
        ['database', 'good'],
        ['clock', 'good'],
        ['connections', 'good'],
      ]);
      const greedy = { ...settings, database: { ...DEFAULT_DATABASE_SETTINGS, poolSize: 900 } };
      expect((await checkDatabase(database, greedy)).at(-1)?.state).toBe('warning');
    } finally {
      await drop();
    }
  },
);

test('sends to the collector of traces as the server does, and reports its errors', async () => {
  const asked: unknown[] = [];
  let status = 200;
  const collector = createServer((request, response) => {
    asked.push([request.url, request.headers['x-tenant']]);
    request.resume().on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => void collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blog' };
  Object.assign(process.env, environment);
  try {
    const check = () => checkTraces({ traces: tracesSettings(process.env) });
    expect(await check()).toMatchObject([{ state: 'good', about: 'traces' }]);
    expect(asked).toEqual([['/v1/traces', 'blog']]);
    status = 401;
    expect(await check()).toMatchObject([{ state: 'bad', text: expect.stringContaining('Unauthorized') }]);
    collector.close();
    collector.closeAllConnections();
    expect(await check()).toMatchObject([{ state: 'bad', about: 'traces' }]);
    const grpc = { endpoint, protocol: 'grpc', continues: true };
    expect(await checkTraces({ traces: grpc })).toMatchObject([
      { state: 'bad', text: expect.stringContaining('grpc') },
    ]);
    expect(await checkTraces({ traces: undefined })).toEqual([]);
  } finally {
    for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
    collector.close();
  }
}, 30_000);
