/** Two formats on one server: the v4 header nests what the v5 format says flat, of random entries; and v4 servers speak v5 when asked. */
import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';
import { pngOf } from '../templates/runtime/test-support/upload-server.ts';
import { type AttributeDefinition, bodyOf, definitionsOf, type SchemaText } from './support/whole-entries.ts';

type Json = any;

const DOCUMENT_ID = /^[a-z][a-z0-9]{23}$/u;

let schema: SchemaText;
let server: ServedProject;

async function call(method: string, path: string, { data, format }: { data?: unknown; format?: string } = {}) {
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(format && { 'Strapi-Response-Format': format }) },
    ...(data !== undefined && { body: JSON.stringify({ data }) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    vary: answer.headers.get('Vary'),
    text,
    body: (text ? JSON.parse(text) : undefined) as Json,
  };
}

/** What Strapi 5 makes of a flat value for clients of Strapi 4, by its own rules: what is polymorphic stays as it is. */
function nestedValue(value: Json, { type, target, component = '' }: AttributeDefinition): Json {
  if (type === 'media') return { data: nestedEntry(value, {}) };
  if (type === 'relation' && target !== undefined) {
    return { data: nestedEntry(value, schema.contentTypes[target]?.attributes ?? {}) };
  }
  if (type === 'component') return nestedItem(value, () => component);
  return type === 'dynamiczone' ? nestedItem(value, (item) => item.__component) : value;
}

function nestedItem(value: Json, uidOf: (item: Json) => string): Json {
  if (Array.isArray(value)) return value.map((one) => nestedItem(one, uidOf));
  return value && nestedAttributes(value, schema.components?.[uidOf(value)]?.attributes ?? {});
}

function nestedAttributes(values: Json, attributes: Readonly<Record<string, AttributeDefinition>>): Json {
  const localizations = { type: 'relation', target: 'article' };
  const all: Readonly<Record<string, AttributeDefinition>> = { ...attributes, localizations };
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, all[name] ? nestedValue(value, all[name]) : value]),
  );
}

function nestedEntry(entry: Json, attributes: Readonly<Record<string, AttributeDefinition>>): Json {
  if (Array.isArray(entry)) return entry.map((one) => nestedEntry(one, attributes));
  if (entry === null) return null;
  const { id, documentId, ...values } = entry;
  return { id, documentId, attributes: nestedAttributes(values, attributes) };
}

beforeAll(async () => {
  const text = (await fixtureSchema('magazine')).replace('maxPopulateDepth: 8', '$&, format: v5');
  schema = definitionsOf(text);
  server = await serveProject(text);
});
afterAll(() => server?.close());

describe('the v4 header', () => {
  const entries = new Map<string, number[]>();
  const articles: string[] = [];
  let images: number[];

  /** A part of everything that an entry can have. */
  async function createSome(uid: string, plural: string, isLeftOut: (name: string) => boolean): Promise<Json> {
    const { attributes } = schema.contentTypes[uid]!;
    const whole = bodyOf(schema, attributes, { entries, images });
    const kept = Object.entries(whole).filter(([name]) => ['name', 'title', 'slug'].includes(name) || !isLeftOut(name));
    const made = await call('POST', `/api/${plural}`, { data: Object.fromEntries(kept) });
    expect(made.status, made.text).toBe(201);
    entries.set(uid, [...(entries.get(uid) ?? []), made.body.data.id]);
    return made.body.data;
  }

  beforeAll(async () => {
    const form = new FormData();
    for (const name of ['a.png', 'b.png']) form.append('files', new Blob([pngOf(4, 3)]), name);
    const uploaded = await fetch(`${server.origin}/api/upload`, { method: 'POST', body: form });
    expect(uploaded.status).toBe(201);
    images = ((await uploaded.json()) as Json[]).map(({ id }) => id as number);
    for (const [uid, plural] of [
      ['author', 'authors'],
      ['topic', 'topics'],
    ] as const) {
      for (const _ of [1, 2]) await createSome(uid, plural, () => false);
    }
    const random = fc.sample(fc.array(fc.nat(9), { minLength: 20, maxLength: 20 }), { numRuns: 6, seed: 4 });
    for (const bits of random) {
      let next = 0;
      articles.push((await createSome('article', 'articles', () => bits[next++ % bits.length]! < 3)).documentId);
    }
    await call('PUT', `/api/articles/${articles[0]}?locale=fr`, { data: { title: 'Un', slug: 'un' } });
  });

  it('gives what the reference product makes of the flat answer, of random queries', async () => {
    const populates: unknown[] = ['cover', 'attachments', 'author', 'topics', 'related', 'seo', 'localizations'].map(
      (name) => [name, true],
    );
    const further: unknown[] = [
      ['blocks', { populate: '*' }],
      ['seo', { populate: { social: { populate: '*' } } }],
      ['author', { populate: { articles: { populate: ['topics'] }, links: { populate: '*' } } }],
      ['topics', { populate: { articles: { populate: '*' } } }],
      ['related', { count: true }],
      ['blocks', { on: { 'blocks.teasers': { populate: { subject: true, articles: { populate: '*' } } } } }],
    ];
    const query = fc.record({
      populate: fc.uniqueArray(fc.constantFrom(...(populates.concat(further) as [string, unknown][])), {
        selector: ([name]) => name,
      }),
      fields: fc.option(fc.subarray(['title', 'extra', 'publishedAt', 'locale']), { nil: undefined }),
      locale: fc.constantFrom(undefined, '*', 'fr'),
      sort: fc.constantFrom('documentId', 'title:desc', undefined),
      status: fc.constantFrom(undefined, 'draft'),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ populate, ...rest }) => {
        const asked = qs.stringify({ ...rest, populate: Object.fromEntries(populate) }, { encodeValuesOnly: true });
        const flat = await call('GET', `/api/articles?${asked}`);
        const nested = await call('GET', `/api/articles?${asked}`, { format: 'v4' });
        expect(flat.status, flat.text).toBe(200);
        const data = nestedEntry(flat.body.data, schema.contentTypes['article']!.attributes);
        expect(nested.body).toEqual({ data, meta: flat.body.meta });
      }),
      { numRuns: 40 },
    );
  });

  it('is said to caches, and other words are ignored', async () => {
    const { vary, body } = await call('GET', '/api/topics', { format: 'v6' });
    expect(vary).toContain('Strapi-Response-Format');
    expect(body.data[0].documentId).toMatch(DOCUMENT_ID);
    expect(body.data[0]).toHaveProperty('name');
  });
});

describe('drafts and locales', () => {
  it('a published entry has its draft beside it, and both go together', async () => {
    const { body } = await call('POST', '/api/articles', { data: { title: 'Out', slug: 'out' } });
    const path = `/api/articles/${body.data.documentId}`;
    const changed = await call('PUT', `${path}?status=draft`, { data: { title: 'In' } });
    expect([changed.status, changed.body.data.title]).toEqual([200, 'In']);
    expect((await call('GET', path)).body.data).toMatchObject({ id: body.data.id, title: 'Out' });
    expect((await call('GET', `${path}?status=draft`)).body.data).toMatchObject({ title: 'In', publishedAt: null });
    expect((await call('DELETE', `${path}?status=draft`)).status).toBe(400);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', `${path}?status=draft`)).status).toBe(404);
  });

  it('publicationFilter and hasPublishedVersion say which, by one locale or by all', async () => {
    const make = async (title: string, query: string) =>
      (await call('POST', `/api/articles${query}`, { data: { title, slug: title } })).body.data.documentId;
    const [open, closed, mixed] = [
      await make('pf-open', ''),
      await make('pf-closed', '?status=draft'),
      await make('pf-mixed', '?status=draft'),
    ];
    await call('PUT', `/api/articles/${mixed}?locale=fr`, { data: { title: 'pf-ouvert', slug: 'pf-ouvert' } });
    const found = async (query: string) => {
      const { body } = await call('GET', `/api/articles?filters[title][$startsWith]=pf-&sort=id&${query}`);
      return body.data?.map(({ documentId }: Json) => documentId) ?? body.error.status;
    };
    for (const [query, drafts, published] of [
      ['publicationFilter=never-published', [closed, mixed], []],
      ['publicationFilter=has-published-version', [open], [open]],
      ['publicationFilter=modified', [], []],
      ['publicationFilter=unmodified', [open], [open]],
      ['publicationFilter=never-published-document', [closed], []],
      ['publicationFilter=has-published-version-document', [open, mixed], [open]],
      ['publicationFilter=published-without-draft', [], []],
      ['publicationFilter=published-with-draft', [open], [open]],
      ['hasPublishedVersion=true', [open], [open]],
      ['hasPublishedVersion=false', [closed, mixed], []],
      ['hasPublishedVersion=perhaps', 400, 400],
      ['publicationFilter=perhaps', 400, 400],
    ] as const) {
      expect([await found(`${query}&status=draft`), await found(query)], query).toEqual([drafts, published]);
    }
    expect((await call('GET', '/api/topics?publicationFilter=perhaps')).status).toBe(400);
    expect((await call('GET', '/api/topics?publicationFilter=modified')).body.data.length).toBeGreaterThan(0);
  });

  it('a locale that two requests add at once is added once', async () => {
    const { body } = await call('POST', '/api/articles', { data: { title: 'One', slug: 'one' } });
    const path = `/api/articles/${body.data.documentId}?locale=fr`;
    const both = await Promise.all(
      ['Deux', 'Trois'].map((title) => call('PUT', path, { data: { title, slug: title.toLowerCase() } })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { body: list } = await call('GET', `/api/articles?locale=fr&filters[documentId]=${body.data.documentId}`);
    expect(list.data).toHaveLength(1);
  });
});

describe('a v4 server', () => {
  it('answers as without document ids, and speaks v5 to who asks for it', async () => {
    const text = await fixtureSchema('magazine');
    const [v5, plain, both] = [
      server,
      await serveProject(text),
      await serveProject(text.replace('maxPopulateDepth: 8', '$&, format: v4')),
    ];
    try {
      const answers: string[] = [];
      for (server of [plain, both]) {
        await call('POST', '/api/topics', { data: { name: 'Sea' } });
        const { text: answer } = await call('GET', '/api/topics/1?populate=*');
        answers.push(answer.replaceAll(/"\d{4}-[^"]*Z"/gu, '"<time>"'));
      }
      expect(answers[1]).toBe(answers[0]);
      const { body } = await call('GET', '/api/topics', { format: 'v5' });
      expect(body.data[0]).toMatchObject({ id: 1, documentId: expect.stringMatching(DOCUMENT_ID), name: 'Sea' });
      const { body: one } = await call('GET', `/api/topics/${body.data[0].documentId}`, { format: 'v5' });
      expect(one.data).toEqual(body.data[0]);
    } finally {
      server = v5;
      await plain.close();
      await both.close();
    }
  });

  it('with `entryMeta: localized`, leaves out `meta` of entries whose type is not localized, and nothing else', async () => {
    const text = await fixtureSchema('magazine');
    const [v5, ...servers] = [
      server,
      await serveProject(text.replace('maxPopulateDepth: 8', '$&, format: v4')),
      await serveProject(text.replace('maxPopulateDepth: 8', '$&, format: v4, entryMeta: localized')),
    ];
    const isLocalized = ({ locale }: Json) => locale !== undefined;
    const withoutMeta = (key: string, value: Json): unknown =>
      value?.attributes && value.meta && !isLocalized(value.attributes) ? { ...value, meta: undefined } : value;
    try {
      const answers: Json[] = [];
      for (server of servers) {
        const data = { title: 'Sea', slug: 'sea', topics: [1], related: [1] };
        await call('POST', '/api/topics', { data: { name: 'Sea' } });
        const sent = [
          await call('POST', '/api/articles?populate=*', { data: { ...data, related: [] } }),
          await call('PUT', '/api/articles/1?populate=*', { data }),
          await call('GET', '/api/articles?populate[topics][populate]=*&populate[related]=*'),
          await call('GET', '/api/topics'),
          await call('GET', '/api/topics/1'),
        ];
        answers.push(sent.map(({ text }) => text.replaceAll(/"\d{4}-[^"]*Z"/gu, '"<time>"')));
      }
      const [all, some] = answers;
      expect(some).toEqual(all.map((text: string) => JSON.stringify(JSON.parse(text, withoutMeta))));
      expect(JSON.parse(some[4]).data).toEqual({ id: 1, attributes: expect.objectContaining({ name: 'Sea' }) });
    } finally {
      server = v5!;
      await Promise.all(servers.map((one) => one.close()));
    }
  });
});
