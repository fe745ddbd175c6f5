/**
 * Hostile documents of GraphQL: whatever is sent, the server answers with what GraphQL over HTTP allows, soon, and goes on serving others.
 * `HOSTILE_DOCUMENTS` is their number, `HOSTILE_SEED` repeats a run, `STRICT_TIMES` is for a machine that does nothing else.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BundledProject, bundleProject } from './support/bundled-project.ts';
import type { RunningServer } from './support/project.ts';

const DOCUMENTS = Number(process.env['HOSTILE_DOCUMENTS'] ?? 1000);
const SEED = Number(process.env['HOSTILE_SEED'] ?? 1);
const AT_ONCE = 8;
/** In milliseconds: what any document may take on a machine that does nothing else, and so how long others wait. */
const MOST = process.env['STRICT_TIMES'] === undefined ? 2000 : 200;

const SCHEMA = `
name: hostile
databases: [sqlite]
api: { format: v5 }
graphql: { introspection: always }
permissions: { public: { article: '*', author: [find, findOne], tag: [find] } }
contentTypes:
  article:
    draftAndPublish: true
    attributes:
      title: { type: string, unique: true }
      rank: { type: integer }
      big: { type: biginteger }
      facts: { type: json }
      day: { type: date }
      genre: { type: enumeration, enum: [novel, story] }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      parts: { type: component, component: shared.part, repeatable: true }
      blocks: { type: dynamiczone, components: [shared.part] }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  tag:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
components:
  shared.part: { attributes: { text: { type: text }, tags: { type: relation, relation: manyWay, target: tag } } }
`;

const NAMES = [
  ...[
    'articles',
    'articles_connection',
    'article',
    'authors',
    'author',
    'tags',
    'tag',
    'parts',
    'blocks',
    'nodes',
    'title',
    'rank',
    'big',
  ],
  ...[
    'facts',
    'day',
    'genre',
    'documentId',
    'pageInfo',
    'total',
    'createArticle',
    'updateArticle',
    'deleteArticle',
    'login',
    'upload',
  ],
  ...[
    '__typename',
    '__schema',
    '__type',
    'types',
    'fields',
    'ofType',
    'name',
    'constructor',
    '__proto__',
    'toString',
    'é',
    'x'.repeat(300),
  ],
];
const ARGUMENTS = [
  'filters',
  'sort',
  'pagination',
  'data',
  'documentId',
  'status',
  'locale',
  'id',
  'name',
  '__proto__',
];
const VALUES = [
  ...[
    '1',
    '-1',
    '0',
    '1e999',
    '99999999999999999999999',
    '0.1',
    'true',
    'null',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"%_\\\\"',
    '"rank:desc"',
  ],
  ...[
    '"title:asc,rank"',
    '"author.articles.title"',
    'PUBLISHED',
    'DRAFT',
    '$a',
    '[1, [2]]',
    '{ title: { eq: "x" } }',
    '{ rank: { in: [1, 2] } }',
  ],
  ...[
    '{ limit: -1 }',
    '{ limit: 100000000 }',
    '{ page: 1, start: 1 }',
    '{ not: { or: [{ author: { name: { contains: "a" } } }] } }',
  ],
  ...[
    '{ title: { containsi: "\' OR 1=1 --" } }',
    '"""block \\""" text"""',
    '{ title: "t", tags: { connect: [{ documentId: "x" }] } }',
  ],
];

const name = fc.constantFrom(...NAMES);
const value = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.string().map((text) => JSON.stringify(text)),
);
const given = fc
  .array(fc.tuple(fc.constantFrom(...ARGUMENTS), value), { maxLength: 3 })
  .map((all) => (all.length === 0 ? '' : `(${all.map(([key, of]) => `${key}: ${of}`).join(', ')})`));
const directive = fc.constantFrom('', '', '', ' @include(if: $b)', ' @skip(if: true)', ' @defer', ' @include');

/** A selection of names that exist somewhere, at any depth. */
const { selection } = fc.letrec<{ selection: string }>((tie) => ({
  selection: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.tuple(name, given, directive).map((all) => all.join('')),
        fc
          .tuple(name, name, given, tie('selection'))
          .map(([alias, field, list, inner]) => `${alias}: ${field}${list} ${inner}`),
        fc
          .tuple(fc.constantFrom('... on Article', '... on Tag', '...', '... on Nothing'), tie('selection'))
          .map((all) => all.join(' ')),
        fc.constantFrom('...a', '...b', '...missing'),
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((fields) => `{ ${fields.join(' ')} }`),
}));

const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
/** Documents that are large in one way each. */
const LARGE: ((size: number) => string)[] = [
  (size) => '{'.repeat(size * 4),
  (size) => `{ articles ${'{ author { articles '.repeat(size)}{ title }${' } }'.repeat(size)} }`,
  (size) => `{ ${times(size * 4, (index) => `a${index}: articles { title }`)} }`,
  (size) => `{ articles { ${times(size * 8, () => 'title')} } }`,
  (size) =>
    `{ ...a } ${times(size, (index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`)} fragment a on Query { ...f0 }`,
  (size) => `{ articles ${times(size * 2, () => '@include(if: true)')} { title } }`,
  (size) => `query (${times(size, (index) => `$v${index}: Int = ${index}`)}) { tags { name } }`,
  (size) =>
    `{ articles(filters: ${'{ and: [{ not: '.repeat(size)}{ rank: { eq: 1 } }${' }] }'.repeat(size)}) { title } }`,
  (size) =>
    `{ articles(filters: { or: [${times(size * 4, (index) => `{ title: { contains: "${index}" } }`)}] }) { title } }`,
  (size) => `{ articles(sort: [${times(size * 4, () => '"title"')}]) { title } }`,
  (size) => `{ __schema { ${'types { fields { type { ofType '.repeat(size)}{ name }${' } } }'.repeat(size)} } }`,
  (size) => times(size * 4, (index) => `query q${index} { tags { name } }`),
  (size) => `mutation { ${times(size * 2, (index) => `m${index}: createArticle(data: { title: "same" }) { title }`)} }`,
];
const large = fc.tuple(fc.constantFrom(...LARGE), fc.integer({ min: 1, max: 1500 })).map(([make, size]) => make(size));

const ordinary = fc
  .tuple(
    fc.constantFrom('', 'query q($a: String, $b: Boolean!)', 'mutation', 'subscription'),
    selection,
    selection,
    selection,
  )
  .map(([kind, root, a, b]) => `${kind} ${root} fragment a on Article ${a} fragment b on Tag ${b}`);
/** A document with a piece cut out or put elsewhere. */
const broken = fc
  .tuple(ordinary, fc.nat(), fc.nat(40), fc.string())
  .map(
    ([text, at, length, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + length),
  );

const variables = fc.oneof(
  fc.constant(undefined),
  fc.record({ a: fc.anything({ withNullPrototype: false }), b: fc.boolean() }, { requiredKeys: [] }),
  fc.constantFrom(null, [], 'text', 7, { a: { toString: 1 } }, JSON.parse('{"__proto__": {"b": true}}'), {
    a: 'x'.repeat(100_000),
  }),
);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

const json = (body: unknown): Sent => ({
  method: 'POST',
  path: '/graphql',
  type: 'application/json',
  body: JSON.stringify(body) ?? '',
});
const request: fc.Arbitrary<Sent> = fc
  .record({
    query: fc.oneof(
      { weight: 6, arbitrary: ordinary },
      { weight: 3, arbitrary: broken },
      { weight: 1, arbitrary: large },
    ),
    variables,
    operationName: fc.constantFrom(undefined, undefined, 'q', 'none', 7),
    how: fc.constantFrom('post', 'post', 'post', 'post', 'get', 'list', 'text', 'form', 'extensions'),
  })
  .map(({ how, ...body }): Sent => {
    switch (how) {
      case 'get': {
        const parameters = new URLSearchParams({ query: body.query.slice(0, 6000) });
        return { method: 'GET', path: `/graphql?${parameters.toString()}` };
      }
      case 'list':
        return json(Array.from({ length: 20 }, () => body));
      case 'text':
        return { method: 'POST', path: '/graphql', type: 'text/plain', body: body.query };
      case 'form':
        return { ...json(body), type: 'multipart/form-data; boundary=x' };
      case 'extensions':
        return json({ ...body, extensions: { persistedQuery: { version: 1, sha256Hash: body.query.slice(0, 64) } } });
      default:
        return json(body);
    }
  });

let project: BundledProject;
let server: RunningServer;
beforeAll(async () => {
  project = await bundleProject(SCHEMA);
  server = await project.start({ DATABASE_URL: 'sqlite:./data/hostile.db', LOG_LEVEL: 'error' });
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await project?.remove();
});

async function send({ method, path, type, body }: Sent): Promise<{ status: number; text: string; time: number }> {
  const started = performance.now();
  const response = await fetch(server.origin + path, {
    method,
    headers: { accept: 'application/json', ...(type !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, text, time: performance.now() - started };
}

/** The least time of a request, sent again while it takes too long: the machine does other things, too. */
async function leastTime(sent: Sent, first: number): Promise<number> {
  let least = first;
  for (let attempt = 0; attempt < 5 && least > MOST; attempt += 1) least = Math.min(least, (await send(sent)).time);
  return least;
}

async function check(sent: Sent): Promise<void> {
  const { status, text, time } = await send(sent);
  expect([200, 400, 401, 403, 404, 405, 413, 414, 415, 431]).toContain(status);
  if (status === 200) {
    const { data, errors } = JSON.parse(text);
    expect(data === undefined && errors === undefined).toBe(false);
  } else {
    expect(text.length).toBeLessThan(100_000);
  }
  expect(text).not.toMatch(/SQLITE|SELECT |node_modules|at \w+ \(|\.js:\d+/u);
  expect(await leastTime(sent, time)).toBeLessThan(MOST);
}

/** Asks for `/_health` all the time. `stop` tells the longest answer, again in milliseconds. */
function watchHealth(): { stop(): Promise<number> } {
  let longest = 0;
  let isWatched = true;
  const watching = (async () => {
    while (isWatched) {
      const sent: Sent = { method: 'GET', path: '/_health' };
      const { status, time } = await send(sent);
      expect(status).toBe(204);
      longest = Math.max(longest, time > MOST ? await leastTime(sent, time) : time);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  // Until `stop`, nothing else waits for it.
  watching.catch(() => {});
  return {
    async stop() {
      isWatched = false;
      await watching;
      return longest;
    },
  };
}

it(
  `${DOCUMENTS} documents are answered or refused, soon, and others are served meanwhile`,
  { timeout: 3_600_000 },
  async () => {
    const rounds = Math.ceil(DOCUMENTS / AT_ONCE);
    const watch = watchHealth();
    const batch = fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE });
    await fc.assert(
      fc.asyncProperty(batch, async (all) => {
        await Promise.all(all.map(check));
      }),
      { numRuns: rounds, seed: SEED, endOnFailure: true },
    );
    const longest = await watch.stop();
    console.info(`The longest answer of /_health took ${longest.toFixed(0)} ms`);
    expect(longest).toBeLessThan(MOST);
    // Whatever the server did not expect is logged as an error.
    expect(server.output()).toBe('');
  },
);
