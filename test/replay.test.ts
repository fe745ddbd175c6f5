/**
 * Replay: random writes by the API in both formats, of relations of every kind from both sides, components, files, locales, drafts, publications,
 * releases, restores, and an import of all into another database. Whatever was exported at a time can be read as of that time; every version says what its write has made, and restoring it gives
 * that again; visitors see changes only by publications. `REPLAY_WRITES` is the number of writes, which end after
 * `REPLAY_SECONDS`; `REPLAY_SEED` repeats a run.
 */
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { casesOf } from '../templates/runtime/test-support/in-full.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { passedMoment } from '../templates/runtime/test-support/passed-moment.ts';
import { createToken, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openPlace, type Place } from './support/moving.ts';
import { randomQuestion } from './support/replay-questions.ts';
import { openSchema } from './support/served-project.ts';

const WRITES = casesOf('REPLAY_WRITES', 80, 200);
/** No more writes are made after so many seconds. */
const SECONDS = Number(process.env['REPLAY_SECONDS'] ?? Infinity);
const SEED = Number(process.env['REPLAY_SEED'] ?? 1);
/** After so many writes, everything is exported. */
const EXPORT_EVERY = 10;
/** So many filtered and sorted reads of each state are kept with each export. */
const QUESTIONS = 5;
/** More entries of a type are not created, so that everything fits into few answers. */
const MOST = 16;

const SCHEMA = `
name: replay
databases: [sqlite, postgres, mysql]
locales: [en, de]
api: { format: v4 }
schedules: true
contentTypes:
  article:
    draftAndPublish: true
    creatorFields: true
    history: true
    trash: 30d
    attributes:
      title: { type: string, required: true }
      slug: { type: string, unique: true }
      price: { type: decimal }
      facet: { type: json }
      cover: { type: media }
      files: { type: media, multiple: true }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: articles }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      badge: { type: relation, relation: oneToOne, target: badge, inversedBy: article }
      awards: { type: relation, relation: oneToMany, target: badge, mappedBy: holder }
      next: { type: relation, relation: oneWay, target: article }
      see: { type: relation, relation: manyWay, target: article }
      about: { type: relation, relation: morphToMany, targets: [tag, author] }
      facts: { type: component, component: shared.fact, repeatable: true }
      lead: { type: component, component: shared.fact }
      body: { type: dynamiczone, components: [shared.fact, shared.quote] }
  tag:
    history: true
    attributes:
      name: { type: string }
      articles: { type: relation, relation: manyToMany, target: article, mappedBy: tags }
      stories: { type: relation, relation: manyToMany, target: story, mappedBy: tags }
      mentions: { type: relation, relation: morphMany, target: article, morphBy: about }
  author:
    draftAndPublish: true
    history: true
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
  badge:
    history: true
    trash: 30d
    attributes:
      name: { type: string }
      article: { type: relation, relation: oneToOne, target: article, mappedBy: badge }
      holder: { type: relation, relation: manyToOne, target: article, inversedBy: awards }
  page:
    localized: true
    history: true
    creatorFields: true
    attributes:
      name: { type: string }
      size: { type: integer, localized: false }
      tags: { type: relation, relation: manyWay, target: tag, localized: false }
  story:
    localized: true
    draftAndPublish: true
    history: true
    attributes:
      name: { type: string }
      code: { type: string, unique: true, localized: false }
      tags: { type: relation, relation: manyToMany, target: tag, inversedBy: stories }
      parent: { type: relation, relation: manyToOne, target: story, inversedBy: children, localized: false }
      children: { type: relation, relation: oneToMany, target: story, mappedBy: parent, localized: false }
      hero: { type: relation, relation: morphToOne, targets: [article, page] }
      facts: { type: component, component: shared.fact, repeatable: true, localized: false }
  home:
    kind: singleType
    draftAndPublish: true
    history: true
    attributes: { text: { type: string }, tags: { type: relation, relation: manyWay, target: tag } }
components:
  shared.fact:
    attributes:
      text: { type: string }
      image: { type: media }
      about: { type: relation, relation: oneWay, target: tag }
      see: { type: relation, relation: manyWay, target: article }
      story: { type: relation, relation: oneWay, target: story }
  shared.quote: { attributes: { words: { type: text }, by: { type: relation, relation: oneWay, target: author } } }
`;

const PARTS =
  'populate[facts][populate]=*&populate[lead][populate]=*&populate[body][on][shared.fact][populate]=*&populate[body][on][shared.quote][populate]=*';
/** What is read of a type, besides its attributes. */
const POPULATED: Readonly<Record<string, string>> = {
  articles: `populate[cover]=*&populate[files]=*&populate[tags]=*&populate[author]=*&populate[badge]=*&populate[awards]=*&populate[next]=*&populate[see]=*&populate[about]=*&populate[createdBy]=*&populate[updatedBy]=*&${PARTS}`,
  tags: 'populate=*',
  authors: 'populate=*',
  badges: 'populate=*',
  pages: 'populate=*&locale=all',
  stories:
    'populate[tags]=*&populate[parent]=*&populate[children]=*&populate[hero]=*&populate[facts][populate]=*&locale=all',
};
const TYPES = Object.keys(POPULATED);
const V5 = { 'Strapi-Response-Format': 'v5' };

/** A generator of pseudo-random numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Reads of former content show the locales that entries have now. */
function withoutLocales(value: unknown): unknown {
  const isLocales = (key: string): boolean => key === 'localizations' || key === 'availableLocales';
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (isLocales(key) ? undefined : one)));
}

/** What a restored entry has again: not its times, who has written it, and what refers to it; components that were removed have new ids. */
function content({ attributes }: any): unknown {
  const {
    createdAt: _c,
    updatedAt: _u,
    publishedAt: _p,
    createdBy: _b,
    updatedBy: _w,
    mentions: _m,
    ...rest
  } = attributes;
  return JSON.parse(
    JSON.stringify(withoutLocales(rest), (name, value: unknown) => {
      if (!['facts', 'body', 'lead'].includes(name) || value === null) return value;
      return [value].flat().map(({ id: _id, ...item }: any) => item as unknown);
    }),
  );
}

/** The document of each row, by type and id. */
type Documents = ReadonlyMap<string, string>;

/** Compares by text first: most of what is compared is equal, and explaining what differs takes long. */
function expectSame(now: unknown, was: unknown, message: string): void {
  if (JSON.stringify(now) !== JSON.stringify(was)) expect(now, message).toEqual(was);
}

/** Relations between entries of localized types: which row of an entry they show, depends on the locales that it has. */
const BETWEEN_ENTRIES = new Set(['parent', 'children', 'story']);

/** With the ids of related entries alone: what a version itself says. */
function withIds(documents: Documents, value: unknown): unknown {
  const idsIn = (one: any, idOf: (id: number) => unknown): unknown => {
    if (one === null || typeof one !== 'object') return one;
    return Array.isArray(one) ? one.map(({ id }) => idOf(id as number)) : idOf(one.id as number);
  };
  return JSON.parse(
    JSON.stringify(withoutLocales(value), (key, one: any) => {
      if (one === null || typeof one !== 'object') return one as unknown;
      if (BETWEEN_ENTRIES.has(key) && 'data' in one) return idsIn(one.data, (id) => documents.get(`stories/${id}`));
      return key === 'data' ? idsIn(one, (id) => ({ id })) : (one as unknown);
    }),
  );
}

let project: Awaited<ReturnType<typeof openSchema>>;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

describe.each(await testedEngines())('on %s', (engine) => {
  let place: Place;
  let server: TestServer;
  let token: string;
  let files: number[] = [];
  const openNext = (name: string): Promise<Place> =>
    openPlace(project, engine, `replay_${engine}_${name}`, { DATABASE_READ_TIME: '0' });
  /** Exports everything, imports it into another database, and goes on there. */
  const move = async (): Promise<void> => {
    const next = await openNext('moved');
    await server.close();
    const file = join(dirname(place.uploads), `${engine}.export`);
    expect(await place.data('export', file)).toMatchObject({ code: 0 });
    expect(await next.data('import', file)).toMatchObject({ code: 0 });
    await place.drop();
    place = next;
    server = await place.start();
  };
  beforeAll(async () => {
    place = await openNext('first');
    server = await place.start();
    const database = await place.open();
    token = await createToken(database, { kind: 'full-access' });
    await database.close();
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      const form = new FormData();
      form.append('files', new Blob([name], { type: 'text/plain' }), name);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.origin}/api/upload`, { method: 'POST', headers, body: form });
      files = [...files, ((await answer.json()) as { id: number }[])[0]?.id ?? 0];
    }
  });
  afterAll(async () => {
    await server?.close();
    await place?.drop();
  });

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.send(method, `/api/${path}`, { token, headers, ...(body !== undefined && { body }) });

  it('leaves a version of what a discarded draft has referred to, and of its published lists', async () => {
    const idOf = async (path: string, data: object): Promise<number> =>
      (await ask('POST', path, { data })).body.data.id;
    const [tag, other] = [await idOf('tags', { name: 'one' }), await idOf('tags', { name: 'two' })];
    const about = (id: number): object => ({ about: [{ id, __type: 'api::tag.tag' }] });
    const article = await idOf('articles', { title: 'Main', ...about(tag) });
    await ask('PUT', `articles/${article}?status=draft`, { data: about(other) });
    const mentions = async (id: number, query: string): Promise<number[]> =>
      (await ask('GET', `tags/${id}?populate=mentions&${query}`)).body.data.attributes.mentions.data.map(
        (one: { id: number }) => one.id,
      );
    const seen = (query: string) =>
      Promise.all(
        [tag, other].flatMap((id) => [`${query}`, `publicationState=preview&${query}`].map((one) => mentions(id, one))),
      );
    const kept: [time: string, was: unknown][] = [];
    const keep = async (): Promise<void> => {
      kept.push([await passedMoment(), await seen('')]);
    };
    await keep();
    await ask('POST', `articles/${article}/actions/discard-draft`);
    await keep();
    await ask('PUT', `articles/${article}`, { data: about(other) });
    await keep();
    expect(kept.map(([, was]) => was)).toEqual([
      [[article], [], [], [article]],
      [[article], [article], [], []],
      [[], [], [article], [article]],
    ]);
    for (const [time, was] of kept) expect(await seen(`asOf=${time}`)).toEqual(was);
    for (const path of [`articles/${article}`, `tags/${tag}`, `tags/${other}`]) await ask('DELETE', path);
  });

  it('shows what shared components refer to in the locale of the entry', async () => {
    const inBoth = async (data: { name: string; facts?: object[] }): Promise<number[]> => {
      const { id } = (await ask('POST', 'stories', { data })).body.data;
      const other = await ask('POST', `stories/${id}/localizations`, { locale: 'de', name: `${data.name} de` });
      return [id, other.body.id];
    };
    const [target] = await inBoth({ name: 'target' });
    const rows = await inBoth({ name: 'owner', facts: [{ text: 'f', story: target }] });
    const names = (query: string) =>
      Promise.all(
        rows.map(async (id) => {
          const path = `stories/${id}?populate[facts][populate][story][fields]=name&publicationState=preview&${query}`;
          return (await ask('GET', path)).body.data.attributes.facts[0].story.data.attributes.name as string;
        }),
      );
    expect(await names('')).toEqual(['target', 'target de']);
    const time = await passedMoment();
    await ask('PUT', `stories/${target}`, { data: { name: 'later' } });
    expect(await names('')).toEqual(['later', 'target de']);
    expect(await names(`asOf=${time}`)).toEqual(['target', 'target de']);
    for (const { id } of (await ask('GET', 'stories?locale=all&publicationState=preview')).body.data) {
      await ask('DELETE', `stories/${id}`);
    }
  });

  it(
    `keeps what ${WRITES} writes have made`,
    async () => {
      const random = randomFrom(SEED);
      const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
      const some = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.3).sort(() => random() - 0.5);
      const log: string[] = [];
      const at = (): string => `seed ${SEED}, ${engine}\n${log.slice(-6).join('\n')}`;
      const act = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
        log.push(`${method} ${path} ${JSON.stringify(body)}`);
        const answer = await ask(method, path, body, headers);
        expect(answer.status, at()).toBeLessThan(500);
        if (answer.status >= 300) log.push(`  → ${answer.status} ${answer.body?.error?.message}`);
        return answer;
      };
      /** Everything, as editors or as visitors see it. */
      const exported = async (state: 'preview' | 'live', asOf?: string): Promise<Map<string, any>> => {
        const all = new Map<string, any>();
        const more = `publicationState=${state}${asOf === undefined ? '' : `&asOf=${asOf}`}`;
        const paths = TYPES.map((type) => `${type}?pagination[pageSize]=100&${POPULATED[type]}&${more}`);
        const answers = await Promise.all([...paths, `home?populate=*&${more}`].map((path) => ask('GET', path)));
        for (const [index, type] of TYPES.entries()) {
          const { body } = answers[index] ?? {};
          expect(body?.error?.message, at()).toBeUndefined();
          expect(body.meta.pagination.total, at()).toBe(body.data.length);
          for (const entry of body.data) all.set(`${type}/${entry.id}`, entry);
        }
        all.set('home', answers.at(-1)?.body?.data ?? null);
        return all;
      };
      const documents = new Map<string, string>();
      const noteDocuments = async (all: ReadonlyMap<string, unknown>): Promise<void> => {
        for (const type of ['articles', 'tags', 'stories']) {
          if ([...all.keys()].every((key) => !key.startsWith(`${type}/`) || documents.has(key))) continue;
          const locale = type === 'stories' ? '&locale=*' : '';
          const path = `${type}?fields[0]=documentId&status=draft&pagination[pageSize]=100${locale}`;
          for (const { id, documentId } of (await ask('GET', path, undefined, V5)).body.data) {
            documents.set(`${type}/${id}`, documentId);
          }
        }
      };
      const idsOf = (value: unknown): unknown => withIds(documents, value);
      let now = await exported('preview');
      let shown = await exported('live');
      /** What was known of versions: as editors saw the entry then. */
      const versions = new Map<string, { version: number; entry: any }[]>();

      const noteVersions = async (after: Awaited<ReturnType<typeof exported>>): Promise<void> => {
        await noteDocuments(after);
        const noteVersion = async (key: string, entry: any): Promise<void> => {
          if (entry === null || key === 'home') return;
          const before = now.get(key);
          if (before && JSON.stringify(before) === JSON.stringify(entry)) return;
          if (before && JSON.stringify(idsOf(before)) === JSON.stringify(idsOf(entry))) return;
          const { body } = await ask('GET', `${key}/history?pagination[pageSize]=1`);
          const version = body.data?.[0]?.version as number;
          const known = versions.get(key)?.at(-1)?.version ?? 0;
          expect(version, `${key} has changed without a version, ${at()}`).toBeGreaterThan(known);
          versions.set(key, [...(versions.get(key) ?? []), { version, entry }]);
          const query = (POPULATED[key.split('/')[0] ?? ''] ?? '').replace('&locale=all', '');
          const answer = await ask('GET', `${key}/history/${version}?${query}&publicationState=preview`);
          expect(idsOf(answer.body?.data), `${key} ${answer.text} ${at()}`).toEqual(idsOf(entry));
        };
        await Promise.all([...after].map(([key, entry]) => noteVersion(key, entry)));
        now = after;
      };

      const restoreVersion = async (): Promise<void> => {
        const key = pick([...versions.keys()].filter((one) => now.has(one)));
        const chosen = key === undefined ? undefined : pick(versions.get(key) ?? []);
        if (key === undefined || !chosen) return;
        const answer = await act('POST', `${key}/history/${chosen.version}/restore`);
        if (answer.status === 200) {
          const restored = (await exported('preview')).get(key);
          expect(idsOf(content(restored)), `${key} ${chosen.version} ${at()}`).toEqual(idsOf(content(chosen.entry)));
        } else {
          expect([200, 400]).toContain(
            (await act('POST', `${key}/history/${chosen.version}/restore?missing=ignore`)).status,
          );
        }
      };

      const releases: number[] = [];
      /** Publishes and takes back some entries at once. */
      const publishRelease = async (ids: (type: string) => readonly number[]): Promise<void> => {
        const items = Object.entries({ articles: 'article', authors: 'author', stories: 'story' })
          .flatMap(([plural, type]) => ids(plural).map((id) => ({ type, id })))
          .filter(() => random() < 0.1)
          .map((item) => ({ ...item, action: random() < 0.7 ? 'publish' : 'unpublish' }));
        const { body } = await act('POST', 'releases', { name: 'some', items });
        if (!body.data) return;
        const { status } = await act('POST', `releases/${body.data.id}/actions/publish`);
        if (status === 200) releases.push(body.data.id as number);
      };

      /** Makes one write. Whether visitors may see a change. */
      const write = async (): Promise<boolean> => {
        const ids = (type: string): number[] =>
          [...now.keys()].flatMap((key) => (key.startsWith(`${type}/`) ? Number(key.slice(type.length + 1)) : []));
        const [articles, tags, authors, badges, pages, stories] = TYPES.map((type) => ids(type)) as [
          number[],
          number[],
          number[],
          number[],
          number[],
          number[],
        ];
        const list = (all: readonly number[]): unknown => {
          if (random() < 0.5) return some(all);
          const [one, other, anchor] = [pick(all), pick(all), pick(all)];
          const position = random() < 0.5 ? { start: true } : anchor === undefined ? { end: true } : { before: anchor };
          return {
            connect: one === undefined ? [] : [random() < 0.5 ? { id: one, position } : { id: one }],
            disconnect: other === undefined ? [] : [other],
          };
        };
        const maybe = (chance: number, value: () => object): object => (random() < chance ? value() : {});
        const fact = (): object => ({
          text: `f${Math.floor(random() * 100)}`,
          ...maybe(0.5, () => ({ about: pick(tags) ?? null })),
          ...maybe(0.3, () => ({ see: some(articles) })),
          ...maybe(0.3, () => ({ image: pick(files) ?? null })),
          ...maybe(0.3, () => ({ story: pick(stories) ?? null })),
        });
        const facts = (): object[] => some([1, 2, 3, 4]).map(fact);
        const typed = (uid: string, all: readonly number[]) => all.map((id) => ({ id, __type: `api::${uid}.${uid}` }));
        const article = (): object => ({
          title: `t${Math.floor(random() * 1000)}`,
          ...maybe(0.3, () => ({ slug: random() < 0.3 ? null : `s${Math.floor(random() * 30)}` })),
          ...maybe(0.3, () => ({ price: (random() * 100).toFixed(2), facet: { a: [Math.floor(random() * 9), null] } })),
          ...maybe(0.5, () => ({ tags: list(tags) })),
          ...maybe(0.4, () => ({ author: pick(authors) ?? null })),
          ...maybe(0.3, () => ({ badge: pick(badges) ?? null })),
          ...maybe(0.3, () => ({ awards: list(badges) })),
          ...maybe(0.3, () => ({ next: pick(articles) ?? null, see: list(articles) })),
          ...maybe(0.3, () => ({ about: [...typed('tag', some(tags)), ...typed('author', some(authors))] })),
          ...maybe(0.3, () => ({ cover: pick(files) ?? null, files: some(files) })),
          ...maybe(0.4, () => ({ facts: facts() })),
          ...maybe(0.2, () => ({ lead: random() < 0.3 ? null : fact() })),
          ...maybe(0.3, () => ({
            body: some([1, 2]).map(() =>
              random() < 0.5
                ? { __component: 'shared.fact', ...fact() }
                : { __component: 'shared.quote', words: 'w', by: pick(authors) ?? null },
            ),
          })),
        });
        const story = (): object => ({
          name: `s${Math.floor(random() * 1000)}`,
          ...maybe(0.3, () => ({ code: random() < 0.3 ? null : `c${Math.floor(random() * 20)}` })),
          ...maybe(0.4, () => ({ tags: list(tags) })),
          ...maybe(0.3, () => ({ parent: pick(stories) ?? null })),
          ...maybe(0.2, () => ({ children: some(stories) })),
          ...maybe(0.3, () => ({
            hero: (random() < 0.5 ? typed('article', some(articles)) : typed('page', some(pages)))[0] ?? null,
          })),
          ...maybe(0.3, () => ({ facts: facts() })),
        });
        const isDraft = random() < 0.5;
        const status = isDraft ? '?status=draft' : '';
        const make = async (type: string, data: object, query = ''): Promise<void> => {
          if (ids(type).length < MOST) await act('POST', `${type}${query}`, { data });
        };
        const change = (type: string, id: number | undefined, data: object, query = '') =>
          act('PUT', `${type}/${id}${query}`, { data });
        const action = pick(['publish', 'unpublish', 'discard-draft']);
        const withDrafts = pick(['articles', 'authors', 'stories']) ?? '';
        const documentOf = (type: string, id: number | undefined): string => documents.get(`${type}/${id}`) ?? 'none';
        const writes: (() => Promise<unknown>)[] = [
          () => make('articles', article(), status),
          () => make('articles', article(), status),
          () => make('tags', { name: 'n', articles: some(articles), stories: some(stories) }),
          () => make('authors', { name: 'a', articles: some(articles) }, status),
          () => make('badges', { name: 'b', article: pick(articles) ?? null, holder: pick(articles) ?? null }),
          () => make('pages', { name: 'p', size: 1, tags: some(tags) }),
          () => make('stories', story(), status),
          () => make('stories', { ...story(), locale: 'de' }, status),
          () => change('articles', pick(articles), article(), status),
          () => change('articles', pick(articles), article(), status),
          () => change('articles', pick(articles), article(), status),
          () => change('stories', pick(stories), story(), status),
          () => change('stories', pick(stories), story(), status),
          () => act('POST', `${withDrafts}/${pick(ids(withDrafts))}/actions/${action}`),
          () => act('POST', `${withDrafts}/${pick(ids(withDrafts))}/actions/${action}`),
          () =>
            change('tags', pick(tags), { articles: list(articles), ...maybe(0.5, () => ({ stories: list(stories) })) }),
          () => change('authors', pick(authors), { name: `a${random()}`, articles: list(articles) }, status),
          () => change('badges', pick(badges), { article: pick(articles) ?? null }),
          () => change('badges', pick(badges), { holder: pick(articles) ?? null }),
          () => change('pages', pick(pages), { size: Math.floor(random() * 100), tags: list(tags) }),
          () => act('POST', `pages/${pick(pages)}/localizations`, { locale: 'de', name: 'de' }),
          () => act('POST', `stories/${pick(stories)}/localizations`, { locale: pick(['en', 'de']), name: 'other' }),
          () => act('PUT', `home${status}`, { data: { text: `h${random()}`, tags: list(tags) } }),
          () => act('POST', `home/actions/${action}`),
          () => act('PUT', `articles/${documentOf('articles', pick(articles))}${status}`, { data: article() }, V5),
          () =>
            act(
              'PUT',
              `stories/${documentOf('stories', pick(stories))}?locale=${pick(['en', 'de'])}${isDraft ? '&status=draft' : ''}`,
              { data: { name: 'v5', ...maybe(0.5, () => ({ tags: some(tags).map((id) => documentOf('tags', id)) })) } },
              V5,
            ),
          () =>
            act('POST', '_batch', {
              operations: [
                { method: 'PUT', path: `/api/tags/${pick(tags)}`, body: { data: { articles: list(articles) } } },
                { method: 'PUT', path: `/api/articles/${pick(articles)}${status}`, body: { data: article() } },
              ],
            }),
          async () => {
            const type = pick(TYPES) ?? '';
            if (random() < 0.6) await act('DELETE', `${type}/${pick(ids(type))}`);
          },
          () => act('POST', `${pick(['articles', 'badges'])}/${1 + Math.floor(random() * 60)}/actions/restore`),
          restoreVersion,
          () => publishRelease(ids),
          () => act('POST', `releases/${releases.pop()}/actions/revert`),
        ];
        const before = log.length;
        await pick(writes)?.();
        const done = log.slice(before).filter((line) => !line.startsWith('  →'));
        const changesDraftAlone = (line: string): boolean =>
          /^(?:PUT|POST) (?:articles|authors|stories|home)[^ ]*(?:[?&]status=draft|discard-draft)/u.test(line);
        return !done.every(changesDraftAlone);
      };

      const STATES = ['preview', 'live'] as const;
      const kept: {
        readonly time: string;
        readonly state: (typeof STATES)[number];
        readonly all: ReadonlyMap<string, unknown>;
      }[] = [];
      /** Filtered and sorted reads, and what they answered at a time. */
      const asked: { readonly time: string; readonly path: string; readonly answer: unknown }[] = [];
      const answerOf = async (path: string): Promise<unknown> => {
        const { status, body } = await ask('GET', path);
        expect(status, `${path} ${body?.error?.message} ${at()}`).toBe(200);
        const { next, ...page } = body.meta.pagination;
        const rest = next
          ? await answerOf(path.replace(/pagination\[after\]=[^&]*/u, `pagination[after]=${next}`))
          : null;
        return { data: withoutLocales(body.data), ...page, rest };
      };
      const checkKept = async (): Promise<void> => {
        for (const { time, state, all } of kept) {
          const then = await exported(state, time);
          expect([...then.keys()], `${state} as of ${time}, ${at()}`).toEqual([...all.keys()]);
          for (const [key, was] of all) expectSame(then.get(key), was, `${key} ${state} as of ${time}, ${at()}`);
        }
        for (const { time, path, answer } of asked) {
          expectSame(await answerOf(`${path}&asOf=${time}`), answer, `${path} as of ${time}, ${at()}`);
        }
      };
      /** Goes on in another database, with the same content: its history begins there. */
      const moveOn = async (): Promise<void> => {
        await checkKept();
        await move();
        expect([...(await exported('preview'))], 'moved').toEqual([...now]);
        expect([...(await exported('live'))], 'moved').toEqual([...shown]);
        // The server begins the history in the background.
        await vi.waitFor(
          async () => {
            const time = await passedMoment();
            expectSame([...(await exported('preview', time))], [...now], 'begun');
          },
          { timeout: 60_000, interval: 100 },
        );
        versions.clear();
        kept.length = 0;
        asked.length = 0;
      };
      const begun = performance.now();
      let done = 0;
      while (done < WRITES && performance.now() - begun < SECONDS * 1000) {
        done += 1;
        if (done === Math.ceil(WRITES / 2)) await moveOn();
        const mayBeSeen = await write();
        const [after, visible] = await Promise.all([exported('preview'), exported('live')]);
        await noteVersions(after);
        if (!mayBeSeen) expectSame([...visible], [...shown], `visitors see a change of drafts, ${at()}`);
        shown = visible;
        if (done % EXPORT_EVERY !== 0) continue;
        const time = await passedMoment();
        kept.push({ time, state: 'preview', all: now }, { time, state: 'live', all: shown });
        for (const state of STATES.flatMap((one) => Array.from({ length: QUESTIONS }, () => one))) {
          const path = `${randomQuestion(random, pick)}&publicationState=${state}`;
          asked.push({ time, path, answer: await answerOf(path) });
        }
      }
      await checkKept();
      expect(versions.size).toBeGreaterThan(3);
      console.log(
        `${engine}, seed ${SEED}: ${done} writes, ${kept.length} exports and ${asked.length} questions since the move`,
      );
    },
    30_000 + WRITES * 1000,
  );
});
