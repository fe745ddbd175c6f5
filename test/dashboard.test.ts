/** The dashboard in docs/ asks for metrics that servers have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadPrometheus } from '../templates/runtime/src/server/metrics/prometheus.ts';
import { createMetrics } from '../templates/runtime/src/server/metrics/registry.ts';
import { root } from './support/project.ts';

const IDLE = { open: 0, idle: 0, most: 0, waiting: 0, slowReads: 0, slowReadsWaiting: 0 };

it('asks for metrics that there are', async () => {
  const { registry } = createMetrics(
    await loadPrometheus(),
    { activity: () => IDLE },
    {
      webhooks: { pending: async () => 0 },
      jobs: { counts: async () => ({ pending: 0, failed: 0 }) },
      schedules: { waiting: async () => 0 },
      events: true,
      audit: true,
    },
  );
  const known = new Set((await registry.getMetricsAsJSON()).map(({ name }) => name));
  const dashboard = readFileSync(join(root, 'docs/grafana-dashboard.json'), 'utf8');
  const asked = [...dashboard.matchAll(/\b([a-z_]+)\{instance/gu)].map(([, name = '']) =>
    name.replace(/_bucket$/u, ''),
  );
  expect(asked.length).toBeGreaterThan(15);
  expect(asked.filter((name) => !known.has(name))).toEqual([]);
  const documented = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const own = [...known].filter((name) => !/^(?:nodejs|process)_/u.test(name));
  // The table shortens the names of the pool.
  expect(own.filter((name) => !documented.includes(name) && !/_(?:idle|max)$/u.test(name))).toEqual([]);
});
