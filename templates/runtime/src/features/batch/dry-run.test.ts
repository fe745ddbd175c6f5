/** A dry run refuses what a batch would be refused for, all of it, and leaves nothing behind, on each engine. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition as archive } from '../../../test-support/projects/archive/src/generated/app.ts';
import { definition as ledger } from '../../../test-support/projects/ledger/src/generated/app.ts';
import { definition as listeners } from '../../../test-support/projects/listeners/src/generated/app.ts';
import { definition as newspaper } from '../../../test-support/projects/newspaper/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';
import type { DialectName } from '../../database/dialect.ts';
import { raw } from '../../database/sql.ts';
import type { AnyExtensions } from '../../index.ts';
import type { ServerDefinition } from '../../server/definition.ts';

const RUNS = Number(process.env['DRY_RUNS'] ?? 25);

async function serve(engine: DialectName, definition: ServerDefinition, extensions: object = {}) {
  const project = await openProject(definition);
  const opened = engine === 'sqlite' ? undefined : await openEngine(engine, `dry_${definition.name}`);
  const environment = { DATABASE_URL: opened?.url ?? project.urlOf('test') };
  const server = await project.start(environment, extensions as AnyExtensions);
  const database = opened?.database ?? (await project.open());
  const token = await createToken(database, { kind: 'full-access' });
  const close = async () => {
    await server.close();
    await (opened ? opened.drop() : database.close());
    await project.remove();
  };
  return { server, database, token, close };
}

const TABLES: Readonly<Record<DialectName, string>> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table'",
  postgres: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  mysql: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
};

/** All rows of all tables. */
async function contentOf(database: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  for (const row of await database.all(raw(TABLES[database.dialect.name]))) {
    const name = String(row['name']);
    const rows = await database.all(raw(`SELECT * FROM ${database.dialect.id(name).text}`));
    content[name] = rows
      .map((one) => JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
      .sort();
  }
  return content;
}

/** Once what runs in the background is done. */
async function settled(database: Database): ReturnType<typeof contentOf> {
  for (let before = await contentOf(database); ;) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const now = await contentOf(database);
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
}

function sender(server: TestServer, token: string) {
  return (operations: readonly object[], more: object = {}, headers: Record<string, string> = {}) =>
    server.send('POST', '/api/_batch', { token, headers, body: { operations, ...more } });
}

interface Operation {
  readonly id?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string;
}

const authorName = fc.constantFrom('a', 'b');
const articleName = fc.constantFrom('c', 'd');
const handle = fc.constantFrom('h1', 'h2', 'h3', 'h4', null);
/**
 * An entry of before, one that does not exist, or one of the batch. None of another type: in each attempt it has another id, which
 * may be that of an entry of the type.
 */
const anAuthor = fc.constantFrom('1', '2', '3', '999999', '$a', '$b');
const anArticle = fc.constantFrom('1', '2', '999999', '$c', '$d');
const data = (value: fc.Arbitrary<object>) => value.map((one) => ({ data: one }));

const author = fc.record({ name: fc.option(authorName, { nil: undefined }), handle });
const article = fc.record(
  {
    title: fc.constantFrom('T', null, 7),
    author: anAuthor,
    tags: fc.array(fc.constantFrom('1', '999999'), { maxLength: 2 }),
  },
  { requiredKeys: ['title'] },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ id: authorName, method: fc.constant('POST'), path: fc.constant('/api/authors'), body: data(author) }),
  fc.record({ method: fc.constant('PUT'), path: anAuthor.map((id) => `/api/authors/${id}`), body: data(author) }),
  fc.record({ method: fc.constant('DELETE'), path: anAuthor.map((id) => `/api/authors/${id}`) }),
  fc.record({
    method: fc.constant('PUT'),
    path: anAuthor.map((id) => `/api/authors/${id}`),
    body: data(author),
    ifMatch: fc.constantFrom('*', '"old"'),
  }),
  fc.record({
    method: fc.constant('POST'),
    id: articleName,
    path: fc.constantFrom('/api/articles', '/api/articles?filters[x]=1'),
    body: data(article),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: anArticle.map((id) => `/api/articles/${id}/localizations`),
    body: fc.constantFrom({ locale: 'fr', title: 'F' }, { locale: 'xx' }),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc
      .tuple(anArticle, fc.constantFrom('publish', 'unpublish'))
      .map(([id, action]) => `/api/articles/${id}/actions/${action}`),
  }),
  fc.record({
    method: fc.constantFrom('PUT', 'DELETE'),
    path: fc.constant('/api/home'),
    body: fc.constant({ data: { text: 'x' } }),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom('/api/users', '/api/nothing'),
    body: fc.constant({}),
  }),
);

/** Batches are refused for a name that is there twice. */
function named(operations: readonly Operation[]): readonly Operation[] {
  const taken = new Set<string | undefined>();
  return operations.map(({ id, ...rest }) => {
    if (id === undefined || taken.has(id)) return rest;
    taken.add(id);
    return { id, ...rest };
  });
}

/** What is said of a reference that leads nowhere depends on whether what it refers to was in the batch. */
function comparable({ details, message, ...error }: any) {
  return {
    ...error,
    details: { ...details, operation: undefined },
    message: message.replace(/ (?:refers to no earlier|stands for the entry).*/u, ''),
  };
}

describe.each(await testedEngines())('on %s', (engine) => {
  let served: Awaited<ReturnType<typeof serve>>;
  let batch: ReturnType<typeof sender>;
  const told: string[] = [];
  beforeAll(async () => {
    const committed = () => void told.push('committed');
    served = await serve(engine, newspaper, { hooks: { author: { committed }, article: { committed } } });
    batch = sender(served.server, served.token);
    await batch(
      ['1', '2', '3'].map((key) => ({
        method: 'POST',
        path: '/api/authors',
        body: { data: { name: key, handle: key } },
      })),
    );
    await batch(['1', '2'].map((title) => ({ method: 'POST', path: '/api/articles', body: { data: { title } } })));
  });
  afterAll(() => served?.close());

  /** What real batches are refused for, if that is left out until one is done. */
  async function refusedOneByOne(operations: readonly Operation[]): Promise<readonly object[]> {
    const left = [...operations.entries()];
    const refused: { operation: number; error: object }[] = [];
    while (left.length > 0) {
      const { status, body } = await batch(left.map(([, one]) => one));
      if (status === 200) break;
      const [index] = left[body.error.details.operation]!;
      refused.push({ operation: index, error: comparable(body.error) });
      left.splice(body.error.details.operation, 1);
    }
    return refused.sort((one, two) => one.operation - two.operation);
  }

  it('refuses what batches are refused for, and leaves nothing', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (random) => {
        const operations = named(random);
        const before = await contentOf(served.database);
        told.length = 0;
        const dry = await batch(operations, { dryRun: true });
        expect(dry.status, dry.text).toBe(200);
        expect(await contentOf(served.database)).toEqual(before);
        expect(told).toEqual([]);
        const refused = dry.body.refused.map(({ operation: at, error }: any) => ({
          operation: at,
          error: comparable(error),
        }));
        expect(refused).toEqual(await refusedOneByOne(operations));
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused as a batch is, keeps no key, and never writes by mistake', async () => {
    const create = { method: 'POST', path: '/api/tags', body: { data: { name: 'x' } } };
    const before = await contentOf(served.database);
    const key = { 'Idempotency-Key': `dry ${engine}` };
    expect((await batch([create], { dryRun: true }, key)).body).toEqual({ refused: [] });
    expect((await batch([], { dryRun: true }, key)).status).toBe(400);
    for (const more of [{ dryRun: 'yes' }, { dryRun: 1 }, { dryrun: true }]) {
      expect((await batch([create], more)).status).toBe(400);
    }
    expect(
      (
        await batch(
          Array.from({ length: 101 }, () => create),
          { dryRun: true },
        )
      ).status,
    ).toBe(400);
    expect(await contentOf(served.database)).toEqual(before);
    expect((await batch([create], {}, key)).status).toBe(200);
    const may = sender(
      served.server,
      await createToken(served.database, { kind: 'custom', permissions: ['tag.create'] }),
    );
    const others = [
      { method: 'DELETE', path: '/api/authors/1' },
      create,
      { method: 'PUT', path: '/api/authors/999999', body: { data: {} } },
    ];
    const { body } = await may(others, { dryRun: true });
    expect(body.refused.map(({ operation: at, error }: any) => [at, error.status])).toEqual([
      [0, 403],
      [2, 403],
    ]);
  });

  it.each([ledger, listeners, archive])(
    'tells nobody: no audit, no events, no history, in $name',
    async (definition) => {
      const other = await serve(engine, definition);
      try {
        const send = sender(other.server, other.token);
        const create = { id: 'a', method: 'POST', path: '/api/tags', body: { data: { name: 'one' } } };
        expect((await send([create])).status).toBe(200);
        const before = await settled(other.database);
        const change = [
          { method: 'PUT', path: '/api/tags/$a', body: { data: { name: 'two' } } },
          { method: 'DELETE', path: '/api/tags/$a' },
        ];
        const gone = { method: 'DELETE', path: '/api/tags/987654' };
        const { body } = await send([create, gone, ...change], { dryRun: true });
        expect(body.refused).toMatchObject([{ operation: 1, error: { status: 404 } }]);
        expect(await settled(other.database)).toEqual(before);
      } finally {
        await other.close();
      }
    },
  );
});
