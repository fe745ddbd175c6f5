/** Histories on each engine: what random writes by every door leave, and what is made of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definition } from '../../../test-support/projects/archive/src/generated/app.ts';
import { openEngine, testedEngines } from '../../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import type { Database } from '../../database/database.ts';

const RUNS = Number(process.env['HISTORY_RUNS'] ?? 60);
const SEED = Number(process.env['HISTORY_SEED'] ?? Date.now() % 100_000);

/** A generator of pseudo-random numbers. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const EVERYTHING =
  'populate[tags][fields]=id&populate[author][fields]=id&populate[badge][fields]=id&populate[cover][fields]=id&populate[about][on][api::tag.tag][fields]=id&populate[facts][populate][about][fields]=id&populate[lead][populate][about][fields]=id&populate[body][on][shared.fact][populate][about][fields]=id&publicationState=preview';
const POPULATED: Readonly<Record<string, string>> = {
  articles: EVERYTHING,
  tags: 'populate[articles][fields]=id&publicationState=preview',
  authors: 'populate[articles][fields]=id&publicationState=preview',
  badges: 'populate[article][fields]=id&publicationState=preview',
  pages: 'populate[tags][fields]=id&locale=all',
};

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let server: TestServer;
  let database: Database;
  let close: () => Promise<void>;
  let token: string;

  beforeAll(async () => {
    project = await openProject(definition);
    const opened = engine === 'sqlite' ? undefined : await openEngine(engine, 'history');
    server = await project.start({ DATABASE_URL: opened?.url ?? project.urlOf('test') });
    database = opened?.database ?? (await project.open());
    token = await createToken(database, { kind: 'full-access' });
    close = async () => {
      await server.close();
      await (opened ? opened.drop() : database.close());
      await project.remove();
    };
  });
  afterAll(() => close?.());

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    server.send(method, `/api/${path}`, { token, headers, ...(body !== undefined && { body }) });
  const send = async (method: string, path: string, data?: unknown) => {
    const answer = await ask(method, path, data === undefined ? undefined : path === '_batch' ? data : { data });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} ${JSON.stringify(data)}: ${answer.status} ${answer.text}`);
    }
    return answer.body?.data;
  };
  const versionsOf = async (path: string) => (await send('GET', `${path}/history`)) as any[];

  it('lists, shows, compares and restores versions', async () => {
    const [one, two, three] = [
      await send('POST', 'tags', { name: 'one' }),
      await send('POST', 'tags', { name: 'two' }),
      await send('POST', 'tags', { name: 'three' }),
    ];
    const article = await send('POST', 'articles?status=draft', {
      title: 'First',
      note: 'hidden',
      price: '12.50',
      facet: { a: [1, null] },
      tags: [one.id, two.id, three.id],
      about: [{ id: one.id, __type: 'api::tag.tag' }],
      facts: [{ text: 'a', secret: 's', about: one.id }, { text: 'b' }],
      lead: { text: 'lead' },
      body: [{ __component: 'shared.fact', text: 'z' }],
    });
    const path = `articles/${article.id}`;
    await send('PUT', `${path}?status=draft`, {
      title: 'Second',
      note: 'other',
      tags: [three.id, one.id, two.id],
      facts: [{ text: 'c' }],
    });
    const [second, first] = await versionsOf(path);
    expect(first).toMatchObject({ action: 'create', by: { kind: 'token' } });
    expect(second).toMatchObject({ action: 'update' });

    const was = await ask('GET', `${path}/history/${first.version}?populate=*`);
    expect(was.body.meta.history).toMatchObject({ version: first.version, action: 'create' });
    expect(was.body.data).toMatchObject({
      id: article.id,
      attributes: {
        title: 'First',
        price: 12.5,
        facet: { a: [1, null] },
        facts: [{ text: 'a' }, { text: 'b' }],
        lead: { text: 'lead' },
      },
    });
    expect(was.text).not.toContain('hidden');
    expect(was.text).not.toContain('secret');
    expect(was.body.data.attributes.tags.data.map(({ id }: any) => id)).toEqual([one.id, two.id, three.id]);

    const differing = await ask('GET', `${path}/history/${first.version}..${second.version}`);
    expect(differing.body.data.filter(({ attribute }: any) => attribute !== 'facts')).toEqual([
      { attribute: 'title', before: 'First', after: 'Second' },
      { attribute: 'tags', changes: [{ kind: 'moved', id: three.id, from: 3, to: 1 }] },
    ]);
    expect(differing.text).not.toContain('hidden');

    await send('DELETE', `tags/${two.id}`);
    const refused = await ask('POST', `${path}/history/${first.version}/restore`);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.errors[0]).toMatchObject({
      path: ['tags'],
      message: expect.stringContaining(`the tag ${two.id} no longer exists`),
    });
    const stale = await ask('POST', `${path}/history/${first.version}/restore?missing=ignore`, undefined, {
      'If-Match': '"1"',
    });
    expect(stale.status).toBe(412);
    await send('POST', `${path}/history/${first.version}/restore?missing=ignore`);
    const restored = await ask('GET', `${path}?${EVERYTHING}`);
    expect(restored.body.data.attributes).toMatchObject({ title: 'First', price: 12.5, publishedAt: null });
    expect(restored.body.data.attributes.tags.data.map(({ id }: any) => id)).toEqual([one.id, three.id]);
    expect(restored.body.data.attributes.facts.map(({ text }: any) => text)).toEqual(['a', 'b']);
    const [last, byTag] = await versionsOf(path);
    expect(last).toMatchObject({ action: 'restore', of: first.version });
    expect(byTag).toMatchObject({ action: 'link' });
    expect((await ask('GET', `${path}/history/999999`)).status).toBe(404);
    expect((await ask('GET', `tags/${two.id}/history`)).status).toBe(404);
    const page = await ask('GET', `${path}/history?pagination[pageSize]=2`);
    expect(page.body.data).toHaveLength(2);
    const rest = await ask(
      'GET',
      `${path}/history?pagination[pageSize]=2&pagination[after]=${page.body.meta.pagination.next}`,
    );
    expect(rest.body).toMatchObject({
      data: [{ version: second.version }, { version: first.version }],
      meta: { pagination: { next: null } },
    });
  });

  it('keeps what every write makes of every entry', async () => {
    const random = randomFrom(SEED);
    const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
    const some = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.5).sort(() => random() - 0.5);
    const types = Object.keys(POPULATED);
    const log: string[] = [];
    const act = async (method: string, path: string, data?: unknown, headers: Record<string, string> = {}) => {
      log.push(`${method} ${path} ${JSON.stringify(data)}`);
      const answer = await ask(method, path, data === undefined ? undefined : { data }, headers);
      if (answer.status >= 300) log.push(`  → ${answer.status} ${answer.body?.error?.message}`);
      return answer;
    };
    /** Every entry as it is, with its relations as ids. */
    const snapshot = async () => {
      const all = new Map<string, any>();
      for (const type of types) {
        const { body } = await ask('GET', `${type}?pagination[pageSize]=100&${POPULATED[type]}`);
        for (const entry of body.data) all.set(`${type}/${entry.id}`, entry);
      }
      return all;
    };
    const idsOf = (all: Map<string, any>, type: string) =>
      [...all.keys()].flatMap((key) => (key.startsWith(`${type}/`) ? Number(key.slice(type.length + 1)) : []));
    /** What a version can say of an entry. */
    const told = ({ attributes: { localizations: _l, ...attributes }, id }: any) => ({ id, attributes });
    /** What a restored entry has again: not its times, and components that were removed have new ids. */
    const content = ({ attributes: { createdAt: _c, updatedAt: _u, publishedAt: _p, ...attributes } }: any) =>
      JSON.parse(
        JSON.stringify(attributes, (name, value) => {
          const isItem = ['facts', 'body', 'lead'].includes(name) && value !== null;
          return isItem ? [value].flat().map(({ id: _id, ...item }: any) => item) : value;
        }),
      );
    const known = new Map<string, { version: number; entry: any }[]>();
    let before = await snapshot();
    const check = async () => {
      const after = await snapshot();
      for (const [key, entry] of after) {
        const versions = await versionsOf(key);
        const last = known.get(key)?.at(-1)?.version ?? 0;
        const added = versions.filter(({ version }) => version > last);
        const former = before.get(key);
        const isSame = former !== undefined && JSON.stringify(told(former)) === JSON.stringify(told(entry));
        if (isSame && added.length === 0) continue;
        expect(added.length, `${key}\n${log.slice(-3).join('\n')}`).toBeGreaterThan(0);
        known.set(key, [...(known.get(key) ?? []), { version: added[0].version, entry }]);
        const { body, text } = await ask(
          'GET',
          `${key}/history/${added[0].version}?${POPULATED[key.split('/')[0] ?? '']}`.replace('&locale=all', ''),
        );
        expect(body?.data && told(body.data), `${text}\n${key} seed ${SEED}\n${log.slice(-3).join('\n')}`).toEqual(
          told(entry),
        );
      }
      before = after;
    };
    const write = async () => {
      const [articles, tags, authors, badges, pages] = types.map((type) => idsOf(before, type)) as [
        number[],
        number[],
        number[],
        number[],
        number[],
      ];
      const list = (all: readonly number[]) => {
        if (random() < 0.6) return some(all);
        const [connect, disconnect] = [pick(all), pick(all)];
        return {
          connect: connect === undefined ? [] : [connect],
          disconnect: disconnect === undefined ? [] : [disconnect],
        };
      };
      const article = () => ({
        title: `t${Math.floor(random() * 1000)}`,
        ...(random() < 0.5 && { tags: list(tags) }),
        ...(random() < 0.4 && { author: pick(authors) ?? null }),
        ...(random() < 0.3 && { badge: pick(badges) ?? null }),
        ...(random() < 0.3 && { about: some(tags).map((id) => ({ id, __type: 'api::tag.tag' })) }),
        ...(random() < 0.4 && { facts: some([1, 2, 3]).map((n) => ({ text: `f${n}`, about: pick(tags) ?? null })) }),
        ...(random() < 0.3 && { body: some([1, 2]).map((n) => ({ __component: 'shared.fact', text: `b${n}` })) }),
      });
      const status = random() < 0.5 ? '?status=draft' : '';
      const id = pick(articles);
      const actions: (() => Promise<unknown>)[] = [
        () => act('POST', `articles${status}`, article()),
        () => act('POST', `articles${status}`, article()),
        () => act('POST', 'tags', { name: `n${random()}`, articles: some(articles) }),
        () => act('POST', 'authors', { name: `a${random()}`, articles: some(articles) }),
        () => act('POST', 'badges', { name: `b${random()}` }),
        () => act('POST', 'pages', { name: `p${random()}`, size: 1, tags: some(tags) }),
        () => act('PUT', `articles/${id}${status}`, article()),
        () => act('PUT', `articles/${id}${status}`, article()),
        () => act('POST', `articles/${id}/actions/${pick(['publish', 'unpublish', 'discard-draft'])}`),
        () => act('PUT', `tags/${pick(tags)}`, { articles: list(articles) }),
        () => act('PUT', `authors/${pick(authors)}`, { articles: list(articles) }),
        () => act('PUT', `badges/${pick(badges)}`, { article: pick(articles) ?? null }),
        () => act('PUT', `pages/${pick(pages)}`, { size: Math.floor(random() * 100), tags: some(tags) }),
        () => ask('POST', `pages/${pick(pages)}/localizations`, { locale: 'de', name: 'de' }),
        () => act('DELETE', `${random() < 0.5 ? 'tags' : 'articles'}/${pick(random() < 0.5 ? tags : articles)}`),
        () =>
          act('PUT', `articles/${before.get(`articles/${id}`)?.attributes.documentId}`, article(), {
            'Strapi-Response-Format': 'v5',
          }),
        async () => {
          const key = pick([...known.keys()].filter((one) => before.has(one) && !one.startsWith('pages')));
          const chosen = key === undefined ? undefined : pick(known.get(key) ?? []);
          if (key === undefined || !chosen) return;
          const whole = await act('POST', `${key}/history/${chosen.version}/restore`);
          if (whole.status === 200) {
            const now = (await snapshot()).get(key);
            expect(content(now), `${key} ${chosen.version} seed ${SEED}`).toEqual(content(chosen.entry));
          } else {
            const answer = await act('POST', `${key}/history/${chosen.version}/restore?missing=ignore`);
            expect([200, 400]).toContain(answer.status);
          }
        },
      ];
      await pick(actions)?.();
    };
    /** What visitors and editors see of everything. */
    const exported = async (asOf?: string) => {
      const answers: unknown[] = [];
      for (const type of types) {
        for (const state of ['preview', 'live']) {
          const query = `pagination[pageSize]=100&${(POPULATED[type] ?? '').replace('publicationState=preview', `publicationState=${state}`)}`;
          const { body } = await ask('GET', `${type}?${query}${asOf === undefined ? '' : `&asOf=${asOf}`}`);
          expect(body.error?.message).toBeUndefined();
          answers.push({ type, state, body });
        }
      }
      return answers;
    };
    const kept: { at: string; all: unknown[] }[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await write();
      await check();
      if (run % 10 !== 9) continue;
      await new Promise((resolve) => void setTimeout(resolve, 5));
      kept.push({ at: new Date().toISOString(), all: await exported() });
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    for (const { at, all } of kept) {
      const then = await exported(at);
      for (const [index, was] of all.entries()) expect(then[index], `as of ${at}, seed ${SEED}`).toEqual(was);
    }
    expect(known.size).toBeGreaterThan(3);
  }, 120_000);
});
