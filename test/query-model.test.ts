/**
 * Random list queries on content that is difficult to query: each engine returns what a model in plain JavaScript says. The same
 * holds of pages by key, and of queries in the code of a project. `QUERY_RUNS` and `QUERY_SEED` make other and longer runs; a
 * failure prints the query, minimized, and the seed.
 */
import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject, TestServer } from '../templates/runtime/test-support/test-project.ts';
import { filteredQueries, type Grammar, type Node, typedQueries } from './support/fuzz-queries.ts';
import {
  contentFrom,
  INVERSES,
  LATER,
  queriedOperation,
  queriedValue,
  queriedWords,
  schema,
  SCHEMA,
  TYPE_NAMES,
  type TypeName,
} from './support/query-content.ts';
import { QueryModel, type Row } from './support/query-model.ts';
import { openSchema } from './support/served-project.ts';

const RUNS = Number(process.env['QUERY_RUNS'] ?? 250);
const SEED = Number(process.env['QUERY_SEED'] ?? 20_240_229);

type Query = Readonly<Record<string, Node>>;

const grammar: Grammar = {
  schema,
  system: { id: { type: 'integer' } },
  valueFor: queriedValue,
  operationFor: queriedOperation,
  count: fc.constantFrom('', '0', '1', '2', '3', '7', '25', '1000', '-1'),
  flag: fc.constantFrom('true', 'false', '1', '0', 't', 'f'),
  words: queriedWords,
};

/** A query without what a query string can't hold: empty lists and objects. */
function pruned(node: Node): Node | undefined {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) {
    const elements = node.map(pruned).filter((element) => element !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  const entries = Object.entries(node).flatMap(([name, inner]) => {
    const kept = pruned(inner);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

interface Asked {
  readonly uid: TypeName;
  readonly query: Query;
}

function askedWith(queriesOf: (uid: TypeName) => fc.Arbitrary<Node>): fc.Arbitrary<Asked> {
  return fc
    .constantFrom<TypeName>('item', 'item', 'story', 'tag')
    .chain((uid) => queriesOf(uid).map((node) => ({ uid, query: (pruned(node) ?? {}) as Query })));
}

const queries = askedWith((uid) => fc.oneof(typedQueries(grammar, uid), filteredQueries(grammar, uid, 3)))
  // Lists can't be sorted by the other locales of their entries.
  .filter(({ query }) => !JSON.stringify(query).includes('localizations.'));

const PLURALS: Readonly<Record<TypeName, string>> = { item: 'items', story: 'stories', tag: 'tags' };

/** Without what depends on the time and what every entry has. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const shown = Object.entries(value).filter(([name]) => !['createdAt', 'updatedAt', 'meta'].includes(name));
  const inner = shown.map(([name, one]) => [name, name === 'json' ? one : comparable(one)]);
  return Object.fromEntries(inner);
}

/** Creates the content on a server, and the same rows for the model. */
async function fill(server: TestServer): Promise<Record<TypeName, Row[]>> {
  const rows: Record<TypeName, Row[]> = { tag: [], story: [], item: [] };
  const content = contentFrom(SEED);
  const targetsOf = (target: string, indexes: unknown) =>
    (indexes as number[]).flatMap((index) => rows[target as TypeName][index] ?? []);
  /** The values of the model, and the body that sets them; ids of items are added later. */
  const valuesOf = (uid: string, sent: Record<string, unknown>) => {
    const attributes = (schema.contentTypes[uid] ?? schema.components?.[uid])?.attributes ?? {};
    const values: Record<string, unknown> = {};
    const body: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(sent)) {
      const { type, target = '', component = '' } = attributes[name] ?? { type: 'string' };
      if (type === 'relation') {
        const targets = targetsOf(target, value);
        values[name] = targets;
        body[name] = targets.map(({ id }) => id);
      } else if (type === 'component' || type === 'dynamiczone') {
        const isList = Array.isArray(value);
        const items = (isList ? value : value === null ? [] : [value]) as Record<string, unknown>[];
        const made = items.map(({ __component: kind = component, ...item }) => ({
          uid: String(kind),
          ...valuesOf(String(kind), item),
        }));
        values[name] = made.map((item) => ({ id: 0, uid: item.uid, values: item.values }));
        const bodies = made.map((item) => (type === 'component' ? item.body : { __component: item.uid, ...item.body }));
        body[name] = isList ? bodies : (bodies[0] ?? null);
      } else {
        values[name] = value;
        body[name] = value;
      }
    }
    return { values, body };
  };
  const request = async (method: string, path: string, body?: unknown) => {
    const { status, body: answer, text } = await server.send(method, path, { body });
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${text}`);
    return answer;
  };
  const populate = qs.stringify({
    populate: {
      seo: { populate: ['link', 'links'] },
      parts: { populate: ['link', 'links'] },
      zone: { on: { 'shared.part': { populate: ['link', 'links'] }, 'shared.link': true } },
    },
  });
  /** Gives items the ids that the server has given them. */
  const identify = (row: Row, answered: any) => {
    const attributes = (schema.contentTypes[row.uid] ?? schema.components?.[row.uid])?.attributes ?? {};
    for (const [name, { type }] of Object.entries(attributes)) {
      if (type !== 'component' && type !== 'dynamiczone') continue;
      const items = [answered[name] ?? []].flat();
      row.values[name] = (row.values[name] as Row[]).map((item, index) => {
        const identified = { ...item, id: items[index].id as number };
        identify(identified, items[index]);
        return identified;
      });
    }
  };
  for (const uid of TYPE_NAMES) {
    for (const sent of content[uid]) {
      const { [LATER]: _later, ...now } = sent;
      const { values, body } = valuesOf(uid, uid === 'story' ? now : sent);
      const query = uid === 'item' ? `?${populate}` : uid === 'story' ? '?populate=links' : '';
      const row = { id: 0, uid, values };
      const original = rows.story.at(-1);
      const isLocale = uid === 'story' && values['locale'] === 'fr' && original?.values['locale'] === 'en';
      if (uid === 'story') values['localizations'] = isLocale ? [original] : [];
      if (isLocale) original.values['localizations'] = [row];
      if (isLocale) {
        row.id = (await request('POST', `/api/stories/${original.id}/localizations`, body)).id;
        const { data } = await request('GET', `/api/stories/${row.id}${query}&publicationState=preview`);
        identify(row, data.attributes);
      } else {
        const { data } = await request('POST', `/api/${PLURALS[uid]}${query}`, { data: body });
        row.id = data.id;
        identify(row, data.attributes);
      }
      for (const [inverse, name] of Object.entries(INVERSES)) {
        if (schema.contentTypes[uid]?.attributes[inverse]) values[inverse] = [];
        // Stories have tags too, which have no list of them.
        if (uid !== 'item') continue;
        for (const target of (values[name] ?? []) as Row[]) {
          if (!schema.contentTypes[target.uid]?.attributes[inverse]) continue;
          (target.values[inverse] as Row[]).push(row);
        }
      }
      rows[uid].push(row);
    }
  }
  for (const [index, sent] of content.story.entries()) {
    const story = rows.story[index];
    const [item] = targetsOf('item', sent[LATER]);
    if (!story || !item) continue;
    await request('PUT', `/api/stories/${story.id}`, { data: { [LATER]: item.id } });
    story.values[LATER] = [item];
    (item.values['stories'] as Row[]).push(story);
  }
  // The order of an inverse side is its own.
  for (const [uid, name] of [
    ['item', 'peersOf'],
    ['item', 'children'],
    ['tag', 'items'],
  ] as const) {
    for (const row of rows[uid].filter((_, index) => index % 2 === 0)) {
      const list = (row.values[name] as Row[]).toReversed();
      await request('PUT', `/api/${PLURALS[uid]}/${row.id}`, { data: { [name]: { set: list.map(({ id }) => id) } } });
      row.values[name] = list;
    }
  }
  return rows;
}

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

// Twenty queries take about a second on a busy computer.
describe.each(await testedEngines())('lists on %s', { timeout: 60_000 + 50 * RUNS }, (engine) => {
  let database: TestDatabase | undefined;
  let server: TestServer;
  let model: QueryModel;
  let entries: any;

  beforeAll(async () => {
    if (engine !== 'sqlite') database = await createDatabase(engine, 'query_model');
    const url = database?.url ?? project.urlOf('queried');
    const extensions = { onStart: (services: any) => void ({ entries } = services) };
    server = await project.start({ DATABASE_URL: url }, extensions as any);
    model = new QueryModel(schema, await fill(server));
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  async function get(uid: TypeName, query: Query) {
    const { status, body, text } = await server.send('GET', `/api/${PLURALS[uid]}?${qs.stringify(query)}`);
    return { status, text, data: comparable(body.data), pagination: body.meta?.pagination };
  }

  function assertAll(
    property: (asked: Asked) => Promise<void>,
    numRuns: number,
    among: fc.Arbitrary<Asked> = queries,
  ): Promise<void> {
    return fc.assert(fc.asyncProperty(among, property), { numRuns, seed: SEED });
  }

  it('contain what the model says', async () => {
    let refused = 0;
    let found = 0;
    await assertAll(async ({ uid, query }) => {
      const answer = await get(uid, query);
      if (answer.status === 400 && answer.text.includes('weigh more than')) {
        refused += 1;
        return;
      }
      expect(answer.status, answer.text).toBe(200);
      const expected = model.list(uid, query);
      expect({ data: answer.data, pagination: answer.pagination }).toEqual(expected);
      if ((expected.data as unknown[]).length > 0 && query['filters'] !== undefined) found += 1;
    }, RUNS);
    expect(refused).toBeLessThan(RUNS / 20);
    expect(found).toBeGreaterThan(RUNS / 10);
  });

  it('by key are the whole list', async () => {
    await assertAll(
      async ({ uid, query: { pagination: _pagination, populate: _populate, ...query } }) => {
        const ids: number[] = [];
        const wanted = model.all(uid, query).map(({ id }) => id);
        for (let after: string | null = ''; after !== null;) {
          const answer = await get(uid, { ...query, pagination: { after, pageSize: '4' } });
          if (answer.status === 400 && answer.text.includes('weigh more than')) return;
          expect(answer.status, answer.text).toBe(200);
          ids.push(...(answer.data as Row[]).map(({ id }) => id));
          after = answer.pagination.next as string | null;
          if (ids.length > wanted.length) break;
        }
        expect(ids).toEqual(wanted);
      },
      Math.ceil(RUNS / 8),
    );
  });

  it('are divided by a filter and its negation, but for entries with null', async () => {
    await assertAll(
      async ({ uid, query: { filters } }) => {
        if (filters === undefined) return;
        const all = { locale: 'all', publicationState: 'preview', pagination: { pageSize: '100' } };
        const listed = async (chosen: Query) => {
          const answer = await get(uid, { ...all, ...chosen });
          expect(answer.status, answer.text).toBe(200);
          return answer.data as { id: number; attributes: Record<string, unknown> }[];
        };
        const idsOf = (entries: { id: number }[]) => entries.map(({ id }) => id);
        const matching = idsOf(await listed({ filters }));
        const others = idsOf(await listed({ filters: { $not: filters } }));
        const names = Object.keys(filters);
        const whole = (await listed({})).filter(({ attributes }) => names.every((name) => attributes[name] !== null));
        const divided = [...matching, ...others];
        expect(new Set(divided).size).toBe(divided.length);
        expect(divided).toEqual(expect.arrayContaining(idsOf(whole)));
      },
      Math.ceil(RUNS / 8),
      askedWith((uid) => filteredQueries(grammar, uid, 0)),
    );
  });

  it('are the same in the code of a project', async () => {
    await assertAll(
      async ({ uid, query }) => {
        const answer = await get(uid, query);
        if (answer.status === 400) return;
        const { data, meta } = await entries[uid].find(query);
        expect({ data: comparable(data), pagination: meta.pagination }).toEqual({
          data: answer.data,
          pagination: answer.pagination,
        });
      },
      Math.ceil(RUNS / 8),
    );
  });
});
