/** What metrics and the doctor say of events and of the audit, on each engine. */
import { describe, expect, it, vi } from 'vitest';
import { listen } from '../../../test-support/event-stream.ts';
import { definition as ledger } from '../../../test-support/projects/ledger/src/generated/app.ts';
import { definition as listeners } from '../../../test-support/projects/listeners/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw, sql } from '../../database/sql.ts';
import type { ServerDefinition } from '../definition.ts';
import { checkAudit } from './check-audit.ts';
import { checkEvents } from './check-events.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const DAY = 24 * 3_600_000;

async function serve(engine: DialectName, definition: ServerDefinition) {
  const project = await openProject(definition);
  const opened = engine === 'sqlite' ? undefined : await openEngine(engine, `told_${definition.name}`);
  const metrics = { METRICS: 'true', METRICS_TOKEN: TOKEN };
  const server = await project.start({ DATABASE_URL: opened?.url ?? project.urlOf('test'), ...metrics });
  const database: Database = opened?.database ?? (await project.open());
  const token = await createToken(database, { kind: 'full-access' });
  return {
    server,
    database,
    token,
    async metric(name: string): Promise<number> {
      const { text } = await server.send('GET', '/_metrics', { token: TOKEN });
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    },
    async close() {
      await server.close();
      await (opened ? opened.drop() : database.close());
      await project.remove();
    },
  };
}

describe.each(await testedEngines())('on %s', (engine) => {
  it('clients of events, how late they are told, and events that nobody deletes', async () => {
    const { server, database, token, metric, close } = await serve(engine, listeners);
    try {
      expect(await checkEvents(database)).toMatchObject([{ state: 'good' }]);
      const told = await metric('events_told_total');
      const clients = await metric('event_clients');
      const stream = await listen(server.origin, '?types=tag', { token });
      expect(await metric('event_clients')).toBe(clients + 1);
      await server.send('POST', '/api/tags', { token, body: { data: { name: 'one' } } });
      await vi.waitFor(async () => expect(await metric('events_told_total')).toBe(told + 1), { timeout: 5000 });
      const lag = await metric('event_lag_seconds');
      expect(lag).toBeGreaterThanOrEqual(0);
      expect(lag).toBeLessThan(5);
      stream.close();
      await vi.waitFor(async () => expect(await metric('event_clients')).toBe(clients), { timeout: 5000 });
      expect(await checkEvents(database)).toMatchObject([{ state: 'good', text: '1 are kept' }]);
      await database.run(sql`UPDATE event_log SET since = ${Date.now() - 9 * DAY}`);
      expect(await checkEvents(database)).toMatchObject([
        { state: 'warning', text: expect.stringContaining('seven days') },
      ]);
    } finally {
      await close();
    }
  });

  it('rows and refusals of the audit, rows that are kept too long or not linked, and an end that is gone', async () => {
    const { server, database, token, metric, close } = await serve(engine, ledger);
    const check = () => checkAudit(database, { kept: 365 * DAY });
    try {
      expect(await check()).toMatchObject([{ state: 'good' }]);
      const [rows, refusals] = [await metric('audit_rows_total'), await metric('audit_refusals_total')];
      await server.send('POST', '/api/tags', { token, body: { data: { name: 'one' } } });
      await server.send('POST', '/api/tags', { token, body: { data: { name: 'two' } } });
      expect((await server.send('POST', '/api/tags', { body: { data: { name: 'no' } } })).status).toBe(403);
      expect(await metric('audit_refusals_total')).toBe(refusals + 1);
      await vi.waitFor(async () => expect(await metric('audit_rows_total')).toBeGreaterThanOrEqual(rows + 2), {
        timeout: 5000,
      });
      expect(await check()).toMatchObject([{ state: 'good', text: expect.stringContaining('linked') }]);
      await server.close();
      await database.run(sql`UPDATE audit_log SET since = ${Date.now() - 400 * DAY} WHERE position IS NOT NULL`);
      expect(await check()).toMatchObject([{ state: 'warning', text: expect.stringContaining('AUDIT_KEPT_DAYS') }]);
      expect(await checkAudit(database, { kept: undefined })).toMatchObject([{ state: 'good' }]);
      const last = Number((await database.get(raw('SELECT MAX(position) AS last FROM audit_log')))?.['last']);
      await database.run(sql`UPDATE audit_log SET position = NULL WHERE position < ${last}`);
      expect(await checkAudit(database, { kept: undefined })).toMatchObject([
        { state: 'warning', text: expect.stringContaining('ten minutes') },
      ]);
      await database.run(sql`DELETE FROM audit_log WHERE position = ${last}`);
      expect((await check())[0]).toMatchObject({ state: 'bad', text: expect.stringContaining('audit verify') });
    } finally {
      await close();
    }
  });
});
