import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/members/src/generated/app.ts';
import { createToken, openProject, type TestProject } from '../../../test-support/test-project.ts';
import { readSettings } from '../settings.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

let project: TestProject;
beforeAll(async () => {
  project = await openProject(definition);
});
afterAll(() => project?.remove());

/** The value of a series; `series` is the beginning of its line. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

describe('metrics', () => {
  test('on the port of the API require the token', async () => {
    const server = await project.start({ METRICS: 'true', METRICS_TOKEN: TOKEN }, {}, 'api');
    const database = await project.open('api');
    const admin = await createToken(database, { kind: 'full-access' });
    try {
      for (const id of [1, 2, 3]) await server.send('GET', `/api/articles/${id}`, { token: admin });
      await server.send('GET', '/api/articles', { token: admin });
      await server.send('GET', '/api/articles', { token: admin });
      for (const path of ['/made/up/1', '/made/up/2']) await server.send('GET', path);
      expect((await server.send('GET', '/_metrics')).status).toBe(401);
      expect((await server.send('GET', '/_metrics', { token: TOKEN.replace('0', '1') })).status).toBe(401);
      const { status, text, headers } = await server.send('GET', '/_metrics', { token: TOKEN });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
      const requests = (method: string, route: string, code: number) =>
        valueOf(text, `http_requests_total{method="${method}",route="${route}",status="${code}"}`);
      expect(requests('GET', '/api/articles/:id', 404)).toBe(3);
      expect(requests('GET', '/api/articles', 200)).toBe(2);
      expect(requests('GET', 'other', 404)).toBe(2);
      expect(requests('GET', '/_metrics', 401)).toBe(2);
      expect(valueOf(text, 'http_request_duration_seconds_count{method="GET",route="/api/articles"}')).toBe(2);
      expect(valueOf(text, 'http_requests_in_flight')).toBe(1);
      expect(valueOf(text, 'http_response_bytes_total')).toBeGreaterThan(100);
      expect(valueOf(text, 'query_cache_hits_total')).toBeGreaterThan(0);
      for (const name of ['database_waiting', 'database_slow_reads', 'database_retries_total']) {
        expect(valueOf(text, name)).toBeGreaterThanOrEqual(0);
      }
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /mu);
      expect(text).not.toContain('made');
    } finally {
      await database.close();
      await server.close();
    }
  });

  test('are not served unless enabled', async () => {
    const server = await project.start({ METRICS_TOKEN: TOKEN }, {}, 'none');
    expect((await server.send('GET', '/_metrics', { token: TOKEN })).status).toBe(404);
    await server.close();
  });

  test('are refused as a setting if everybody could read them', () => {
    expect(() => readSettings('x', { METRICS: 'true' })).toThrow(/METRICS requires METRICS_PORT.*or METRICS_TOKEN/u);
    expect(() => readSettings('x', { METRICS: 'true', METRICS_TOKEN: 'short' })).toThrow(/METRICS_TOKEN must have/u);
    expect(readSettings('x', { METRICS_PORT: '9464' }).metrics).toEqual({
      port: 9464,
      host: '127.0.0.1',
      token: undefined,
    });
  });
});
