/**
 * Published versions beside drafts: what visitors see changes by publications alone, and is then what the drafts were. Random writes of
 * every kind, on a real server.
 */
import { describe, expect, test } from 'vitest';
import { definition } from '../../test-support/projects/versions/src/generated/app.ts';
import { createToken, openProject, type TestServer } from '../../test-support/test-project.ts';
import { createDatabase } from '../../test-support/engines.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { createRandom } from '../contract/values/random.ts';
import { openDatabase } from '../database/open-database.ts';

const V5 = { 'strapi-response-format': 'v5' };
const VERSIONED = ['piece', 'tag', 'author', 'badge', 'page'] as const;
const TYPES = [...VERSIONED, 'desk'] as const;
const LOCALES = ['en', 'fr'];

const READS = [
  ...TYPES.map((type) => `/api/${type}s?populate=*&locale=*&sort=id`),
  '/api/pieces?populate[seo][populate]=*&populate[slides][populate]=*&populate[author][populate]=*&sort=size:desc',
  '/api/pieces?filters[author][name][$contains]=1&filters[tags][name][$ne]=zz&sort=author.name,id',
  '/api/pieces?_q=one&sort=id',
  '/api/desks?filters[lead][title][$contains]=1&sort=lead.title,id&populate[pieces][count]=true',
  '/api/tags?filters[pieces][size][$gt]=2&populate[pieces][sort]=title&sort=id',
  '/api/pages?locale=fr&filters[sku][$notNull]=true&populate=*&sort=id',
  '/api/home',
];

interface Site {
  readonly server: TestServer;
  readonly admin: string;
}

async function serve(engine: string, run: (site: Site) => Promise<void>): Promise<void> {
  const project = await openProject(definition);
  const own = engine === 'sqlite' ? undefined : await createDatabase(engine as 'postgres', 'versions');
  const server = await project.start(own ? { DATABASE_URL: own.url } : {});
  const database = await openDatabase(own?.url ?? project.urlOf('test'));
  try {
    await run({ server, admin: await createToken(database, { kind: 'full-access' }) });
  } finally {
    await server.close();
    await database.close();
    await own?.drop();
    await project.remove();
  }
}

/** What visitors see, with the ETags. */
async function seen({ server }: Site, format: object = V5): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const path of READS) {
    const { status, text, headers } = await server.send('GET', path, { headers: { ...format } });
    answers.push(`${path} ${status} ${headers.get('etag')} ${text}`);
  }
  return answers;
}

function sender({ server, admin }: Site) {
  return (method: string, path: string, body?: unknown) =>
    server.send(method, path, { token: admin, headers: V5, ...(body !== undefined && { body }) });
}

type Send = ReturnType<typeof sender>;

/** The entries by documentId in the lists of an entry; those of to-one relations as lists of one. */
function relationsOf(entry: any): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [name, value] of Object.entries<any>(entry)) {
    const all = Array.isArray(value) ? value : [value];
    if (name !== 'localizations' && all.some((one) => one?.documentId)) found[name] = all.map((one) => one.documentId);
  }
  return found;
}

/** An entry without what differs between its states anyway. */
function ownValues(entry: object): object {
  const isRelated = (value: any): boolean =>
    Boolean(value?.documentId) || (Array.isArray(value) && value.some((one) => one?.documentId));
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  const isOfState = (name: string): boolean => name === 'publishedAt' || name === 'localizations';
  const plain = Object.entries(entry).filter(([name, value]) => {
    return !isOfState(name) && !isRelated(value) && !isEmpty(value);
  });
  return Object.fromEntries(plain);
}

describe.each(await testedEngines())('on %s', (engine) => {
  test('visitors see what was published, whatever drafts there are, and then what the drafts were', async () => {
    const random = createRandom(Number(process.env['SEED'] ?? 1));
    const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;
    await serve(engine, async (site) => {
      const send = sender(site);
      const made: Record<string, string[]> = Object.fromEntries(TYPES.map((type) => [type, []]));
      const some = (type: string) => (made[type]?.length ? [pick(made[type] ?? [])] : []);
      const few = (type: string) => [...new Set([...some(type), ...some(type), ...some(type)])];
      const list = (type: string) =>
        pick([
          few(type),
          { connect: some(type).map((id) => ({ documentId: id, position: { start: true } })) },
          { disconnect: some(type) },
        ]);
      const one = (type: string) => some(type)[0] ?? null;
      const text = () => pick(['one', 'one 1', 'two', 'three 1']);
      const seo = () => pick([null, { metaTitle: text(), picks: few('tag') }]);
      const values: Record<string, () => Record<string, unknown>> = {
        piece: () => ({
          title: text(),
          code: random.below(3) === 0 ? String(random.below(8)) : null,
          size: random.below(5),
          seo: seo(),
          slides: [{ text: text(), desk: one('desk') }],
          tags: list('tag'),
          author: one('author'),
          desk: one('desk'),
          leads: list('desk'),
          badge: one('badge'),
          see: list('piece'),
          about: few('tag').map((documentId) => ({ __type: 'tag', documentId })),
        }),
        tag: () => ({ name: text(), pieces: list('piece'), desks: list('desk') }),
        author: () => ({ name: text(), pieces: list('piece') }),
        badge: () => ({ name: text(), piece: one('piece') }),
        desk: () => ({ name: text(), pieces: list('piece'), lead: one('piece'), tags: list('tag') }),
        page: () => ({
          title: text(),
          sku: random.below(3) === 0 ? String(random.below(6)) : null,
          size: random.below(5),
          seo: seo(),
          tags: list('tag'),
          author: one('author'),
        }),
      };
      const data = (type: string) => {
        const all = Object.entries(values[type]?.() ?? {});
        const kept = all.filter(([name]) => name === 'title' || random.below(2) === 0);
        return { data: Object.fromEntries(kept) };
      };
      let before = await seen(site);
      for (let step = 0; step < Number(process.env['STEPS'] ?? 60); step += 1) {
        const type = pick(TYPES);
        const locale = type === 'page' ? `&locale=${pick(LOCALES)}` : '';
        const isDraft = random.below(2) === 0;
        const status = isDraft && type !== 'desk' ? '&status=draft' : '';
        const id = random.below(3) === 0 ? undefined : one(type);
        const path = id ? `/api/${type}s/${id}` : `/api/${type}s`;
        const removes = id && random.below(12) === 0;
        const body = removes ? undefined : data(type);
        const method = removes ? 'DELETE' : id ? 'PUT' : 'POST';
        const answer = await send(method, `${path}?populate=*${locale}${removes ? '' : status}`, body);
        const what = `step ${step}: ${method} ${path}${locale}${status} ${JSON.stringify(body)} => ${answer.status} ${answer.text}`;
        expect([200, 201, 204, 400], what).toContain(answer.status);
        const after = await seen(site);
        if (answer.status === 400 || (status !== '' && !removes)) expect(after, what).toEqual(before);
        before = after;
        if (answer.status === 400) continue;
        if (removes) {
          if (type !== 'page') made[type] = (made[type] ?? []).filter((known) => known !== id);
          continue;
        }
        const { documentId } = answer.body.data;
        if (!id) made[type]?.push(documentId);
        if (status === '' && type !== 'desk') await expectPublished(send, `/api/${type}s/${documentId}`, locale, what);
      }
    });
  }, 240_000);

  test('an entry is published, taken back, and its draft discarded, with preconditions on either version', async () => {
    await serve(engine, async (site) => {
      const send = sender(site);
      const made = await send('POST', '/api/pieces?status=draft', { data: { title: 'one', code: 'c' } });
      const path = `/api/pieces/${made.body.data.documentId}`;
      const title = async (query = '') => (await send('GET', `${path}?fields=title${query}`)).body.data?.title;
      expect(await title()).toBeUndefined();
      expect((await send('POST', `${path}/actions/discard-draft`)).status).toBe(400);
      const published = await send('POST', `${path}/actions/publish`);
      expect(published.body.data).toMatchObject({ title: 'one', publishedAt: expect.any(String) });
      await send('PUT', `${path}?status=draft`, { data: { title: 'two', slides: [{ text: 'new' }] } });
      expect([await title(), await title('&status=draft')]).toEqual(['one', 'two']);
      const discarded = await send('POST', `${path}/actions/discard-draft?status=draft&populate=slides`);
      expect(discarded.body.data).toMatchObject({ id: made.body.data.id, title: 'one', slides: [], publishedAt: null });
      const unchanged = await send('GET', '/api/pieces?publicationFilter=modified');
      expect(unchanged.body.data).toEqual([]);
      const { headers } = await send('GET', `${path}`);
      const match = { ...V5, 'if-match': headers.get('etag') ?? '' };
      const write = (token = site.admin) =>
        site.server.send('PUT', path, { token, headers: match, body: { data: { title: 'three' } } });
      expect((await write()).status).toBe(200);
      expect((await write()).status).toBe(412);
      const back = await send('POST', `${path}/actions/unpublish`);
      expect(back.body.data).toMatchObject({ title: 'three', publishedAt: null });
      expect([await title(), await title('&status=draft')]).toEqual([undefined, 'three']);
      expect((await send('POST', '/api/home/actions/publish')).status).toBe(404);
    });
  }, 60_000);

  test('a unique value is a constraint among published versions, and a check in the v4 format', async () => {
    await serve(engine, async (site) => {
      const { server, admin } = site;
      const send = sender(site);
      const v4 = (method: string, path: string, body: unknown) => server.send(method, path, { token: admin, body });
      const first = (await v4('POST', '/api/pieces', { data: { title: 'a', code: 'x' } })).body.data;
      const taken = { error: { details: { errors: [{ path: ['code'] }] } } };
      const draft = { data: { title: 'b', code: 'x' } };
      const refused = await v4('POST', '/api/pieces?status=draft', draft);
      expect(refused.body).toMatchObject(taken);
      const made = await send('POST', '/api/pieces?status=draft', draft);
      expect(made.status).toBe(201);
      const path = `/api/pieces/${made.body.data.documentId}`;
      expect((await send('PUT', path, { data: {} })).body).toMatchObject(taken);
      expect((await send('POST', `${path}/actions/publish`)).body).toMatchObject(taken);
      await v4('PUT', `/api/pieces/${first.id}?status=draft`, { data: { code: 'y' } });
      expect((await send('POST', `${path}/actions/publish`)).body).toMatchObject(taken);
      const live = (await v4('GET', `/api/pieces/${first.id}`, undefined)).body.data.attributes;
      expect(live.code).toBe('x');
      expect((await v4('PUT', `/api/pieces/${first.id}`, { data: {} })).body.data.attributes.code).toBe('y');
      expect((await send('POST', `${path}/actions/publish`)).status).toBe(200);
      const away = await v4('PUT', `/api/pieces/${first.id}`, { data: { publishedAt: null } });
      expect(away.body.data.attributes).toMatchObject({ code: 'y', publishedAt: null });
      expect((await v4('GET', `/api/pieces/${first.id}`, undefined)).status).toBe(404);
    });
  }, 60_000);
});

/** The published version is the draft, without the entries that are not published. */
async function expectPublished(send: Send, path: string, locale: string, what: string): Promise<void> {
  const query = `?populate=*${locale}`;
  const published = (await send('GET', `${path}${query}`)).body.data;
  const draft = (await send('GET', `${path}${query}&status=draft`)).body.data;
  const visible = new Set<string>();
  for (const type of TYPES) {
    const { body } = await send('GET', `/api/${type}s?fields=documentId&pagination[pageSize]=100`);
    for (const { documentId } of body.data) visible.add(documentId);
  }
  expect(ownValues(published), what).toEqual(ownValues(draft));
  const shown = relationsOf(published);
  for (const [name, targets] of Object.entries(relationsOf(draft))) {
    const kept = targets.filter((target) => visible.has(target));
    expect(shown[name] ?? [], `${name} of ${path}, ${what}`).toEqual(kept);
    delete shown[name];
  }
  expect(shown, what).toEqual({});
}
