/** Traces of generated servers, as a collector of OpenTelemetry receives them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import { freePort, request, type RunningServer } from './support/project.ts';
import { type CollectedSpan, openCollector, type TraceCollector } from './support/trace-collector.ts';

const SCHEMA = `
name: traced
databases: [sqlite, postgres, mysql]
permissions: { public: { article: '*', tag: '*' } }
contentTypes:
  article:
    attributes:
      title: { type: string, unique: true }
      tags: { type: relation, relation: manyToMany, target: tag }
  tag:
    attributes:
      name: { type: string }
`;

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql', mysql: 'mysql' };

let project: BundledProject;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
});
afterAll(() => project?.remove());

/** Spans are sent soon, as JSON. */
function sendingTo(port: number) {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
}

/** A trace of a caller: its id, and the header that says so. */
function callerTrace(number: number) {
  const traceId = String(number).padStart(32, 'a');
  return { traceId, parent: 'b'.repeat(16), header: `00-${traceId}-${'b'.repeat(16)}-01` };
}

async function send(origin: string, method: string, path: string, options: { data?: object; traceparent?: string }) {
  const { data, traceparent } = options;
  const response = await fetch(origin + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...(traceparent && { traceparent }) },
    ...(data && { body: JSON.stringify({ data }) }),
  });
  return { status: response.status, requestId: response.headers.get('x-request-id'), body: await response.json() };
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

describe.each(await testedEngines())('traces on %s', (dialect) => {
  let collector: TraceCollector;
  let server: RunningServer;
  let drop = async (): Promise<void> => undefined;

  beforeAll(async () => {
    const database = dialect === 'sqlite' ? undefined : await createDatabase(dialect, `traced_${threadId}`);
    drop = async () => database?.drop();
    collector = await openCollector();
    server = await project.start({
      ...sendingTo(collector.port),
      DATABASE_URL: database?.url ?? 'sqlite:./data/traced.db',
      LOG_LEVEL: 'info',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    collector?.close();
    await drop();
  });

  /** The span of the request in a trace, and those of its statements. */
  async function spansOf(traceId: string): Promise<{ root: CollectedSpan; statements: CollectedSpan[] }> {
    const found = () => collector.spans.filter((span) => span.traceId === traceId);
    await expect.poll(() => found().some(({ kind }) => kind === 2), { timeout: 20_000 }).toBe(true);
    const [root] = found().filter(({ kind }) => kind === 2);
    if (!root) throw new Error('there is no span of a server');
    return { root, statements: found().filter(({ kind }) => kind === 3) };
  }

  it('have a span for a request, which continues the trace of the caller, and spans below it for its statements', async () => {
    const { traceId, parent, header } = callerTrace(1);
    const created = await send(server.origin, 'POST', '/api/articles?locale=hidden', {
      data: { title: 'a secret title' },
      traceparent: header,
    });
    expect(created.status).toBe(201);
    const { root, statements } = await spansOf(traceId);
    expect(root).toMatchObject({ parentSpanId: parent, name: 'POST /api/articles' });
    expect(root.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/articles',
      'url.path': '/api/articles',
      'url.scheme': 'http',
      'http.response.status_code': 201,
      'http.response.header.x-request-id': { values: [{ stringValue: created.requestId }] },
    });
    expect(root.service).toMatchObject({ 'service.name': 'traced', 'deployment.environment.name': 'test' });
    expect(statements.length).toBeGreaterThan(0);
    for (const { parentSpanId, attributes } of statements) {
      expect(parentSpanId).toBe(root.spanId);
      expect(attributes['db.system.name']).toBe(SYSTEMS[dialect]);
      expect(attributes['db.query.text']).not.toBe('');
    }
    expect(statements.map(({ attributes }) => attributes['db.query.text']).join('\n')).toMatch(
      /INSERT INTO .articles/u,
    );
  });

  it('have the pattern of a route, and begin at a request that belongs to none', async () => {
    const read = await send(server.origin, 'GET', '/api/articles/4711', {});
    expect(read.status).toBe(404);
    const found = () => collector.spans.find(({ attributes }) => attributes['url.path'] === '/api/articles/4711');
    await expect.poll(found, { timeout: 20_000 }).toBeDefined();
    expect(found()).toMatchObject({ name: 'GET /api/articles/:id', status: { code: 0 } });
    expect(found()?.parentSpanId).toBeUndefined();
    const line = server
      .output()
      .split('\n')
      .find((one) => one.includes('/api/articles/4711'));
    expect(JSON.parse(line ?? '').traceId).toBe(found()?.traceId);
  });

  it('keep the statements of requests apart that write at once', async () => {
    const traces = Array.from({ length: 12 }, (_, index) => callerTrace(100 + index));
    const answers = await Promise.all(
      traces.map(({ header }, index) =>
        send(server.origin, 'POST', '/api/articles', { data: { title: `title ${index}` }, traceparent: header }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(traces.map(() => 201));
    for (const { traceId } of traces) {
      const { root, statements } = await spansOf(traceId);
      const inserts = statements.filter(({ attributes }) =>
        /INSERT INTO .articles/u.test(String(attributes['db.query.text'])),
      );
      expect(inserts.map(({ parentSpanId }) => parentSpanId)).toEqual([root.spanId]);
    }
  });

  it('say that a statement failed, without its message', async () => {
    const { traceId, header } = callerTrace(2);
    const refused = await send(server.origin, 'POST', '/api/articles', {
      data: { title: 'a secret title' },
      traceparent: header,
    });
    expect(refused.status).toBe(400);
    const { root } = await spansOf(traceId);
    expect(root.status.code).toBe(0);
    expect(root.attributes['http.response.status_code']).toBe(400);
    expect(collector.received()).not.toContain('secret');
    expect(collector.received()).not.toContain('hidden');
  });

  it('leave out health checks, and callers that are not sampled', async () => {
    const { traceId, header } = callerTrace(3);
    await send(server.origin, 'GET', '/api/tags', { traceparent: header.replace(/01$/u, '00') });
    const other = callerTrace(4);
    await send(server.origin, 'GET', '/api/tags', { traceparent: other.header });
    await spansOf(other.traceId);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
    expect(collector.spans.filter(({ attributes }) => attributes['url.path'] === '/_ready')).toEqual([]);
    // Nor does the server trace what it asks for itself.
    expect(collector.spans.filter(({ kind, parentSpanId }) => kind === 3 && parentSpanId === undefined)).toEqual([]);
  });

  it('are sent before the server stops', async () => {
    const { traceId, header } = callerTrace(5);
    await send(server.origin, 'GET', '/api/tags', { traceparent: header });
    expect(await server.stop()).toBe(0);
    expect((await spansOf(traceId)).root.name).toBe('GET /api/tags');
    expect(server.output()).not.toContain('collector');
  });
});

const onSqlite = (name: string) => ({ DATABASE_URL: `sqlite:./data/${name}.db`, LOG_LEVEL: 'info' });

describe('a server with traces', () => {
  it('sends protobuf where no protocol is set', async () => {
    const collector = await openCollector();
    const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...variables } = sendingTo(collector.port);
    const server = await project.start({ ...onSqlite('protobuf'), ...variables });
    await request(server.origin, 'GET', '/api/tags');
    expect(await server.stop()).toBe(0);
    expect([...collector.types]).toEqual(['application/x-protobuf']);
    expect(collector.received()).toContain('/api/tags');
    collector.close();
  });

  it.each([
    { collector: 'is not there', isMute: false },
    { collector: 'never answers', isMute: true },
  ])('answers and stops as ever while its collector $collector', async ({ isMute }) => {
    const collector = isMute ? await openCollector({ isMute }) : undefined;
    const server = await project.start({
      ...onSqlite(`dead-${isMute}`),
      ...sendingTo(collector?.port ?? (await freePort())),
      OTEL_EXPORTER_OTLP_TIMEOUT: isMute ? '20000' : '200',
      OTEL_BSP_MAX_QUEUE_SIZE: '50',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
    });
    const warnings = () => countOf(server.output(), 'the collector does not accept the traces');
    for (let round = 0; round < 100; round += 1) {
      expect((await request(server.origin, 'GET', '/api/tags')).status).toBe(200);
    }
    if (!isMute) await expect.poll(warnings, { timeout: 20_000 }).toBe(1);
    for (let round = 0; round < 100; round += 1) await request(server.origin, 'GET', '/api/tags');
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    // A collector that never answers is waited for 2 s, not for its own 20 s.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(warnings()).toBe(isMute ? 0 : 1);
    collector?.close();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'the protocol grpc is not supported'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' }, 'the endpoint must be http'],
  ])('starts without traces, and says so, with %j', async (variables, reason) => {
    const server = await project.start({ ...onSqlite('without-traces'), ...sendingTo(1), ...variables });
    expect(server.output()).toContain(`traces are not sent: ${reason}`);
    expect(await server.stop()).toBe(0);
  });
});

describe('packages of OpenTelemetry', () => {
  async function preloading(name: string, code: string): Promise<Record<string, string>> {
    const file = join(project.path, `${name}.cjs`);
    await writeFile(file, code);
    return { ...onSqlite(name), NODE_OPTIONS: `--require ${file}` };
  }

  const LOADED = `
    const { _cache } = require('node:module');
    process.on('exit', () => {
      console.log('loaded', Object.keys(_cache).filter((file) => file.includes('@opentelemetry')).length);
    });`;

  it('are not loaded without the variables', async () => {
    const without = await project.start(await preloading('without', LOADED));
    await request(without.origin, 'GET', '/api/tags');
    expect(await without.stop()).toBe(0);
    expect(without.output()).toMatch(/^loaded 0$/mu);
    const collector = await openCollector();
    const withThem = await project.start({ ...(await preloading('with', LOADED)), ...sendingTo(collector.port) });
    expect(await withThem.stop()).toBe(0);
    expect(withThem.output()).toMatch(/^loaded [1-9]\d*$/mu);
    collector.close();
  });

  it('are not used where the process was started with an SDK of its own', async () => {
    const code = "new (require('@opentelemetry/sdk-trace-node').NodeTracerProvider)().register();";
    const server = await project.start({ ...(await preloading('taken', code)), ...sendingTo(1) });
    expect((await request(server.origin, 'GET', '/api/tags')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.output()).toContain('traces are left to the OpenTelemetry SDK');
  });
});
