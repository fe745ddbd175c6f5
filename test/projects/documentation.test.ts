/** The documentation over HTTP: where it is served, with which headers; and what the content-type builder tells to whom. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ServedProject, serveProject } from '../support/served-project.ts';

const SCHEMA = `
name: described
databases: [sqlite]
contentTypes:
  article:
    attributes:
      title: { type: string, required: true, maxLength: 20 }
      secret: { type: string, private: true }
      author: { type: relation, relation: manyToOne, target: author }
      seo: { type: component, component: shared.seo }
  author: { attributes: { name: { type: string }, password: { type: password } } }
components:
  shared.seo: { attributes: { metaTitle: { type: string } } }
permissions:
  public: { article: [find], content-type-builder: [find] }
`;

let served: ServedProject | undefined;

async function serve(schema: string, environment: Readonly<Record<string, string>> = {}) {
  served = await serveProject(schema, { environment });
  const { origin } = served;
  return (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init);
}

afterEach(async () => {
  await served?.close();
  served = undefined;
});

const PRODUCTION = { NODE_ENV: 'production', AUTH_PASSWORD_COST: '' };
const PATHS = ['/', '/docs', '/openapi.json', '/docs/pages.js'];

describe('the documentation', () => {
  it('is served in development, without scripts of its own pages, and told apart by its hash', async () => {
    const get = await serve(SCHEMA);
    for (const path of [...PATHS, '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css', '/docs/home.css']) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-security-policy'), path).toMatch(/default-src 'none'; script-src 'self';/u);
      const text = await response.text();
      const isPage = response.headers.get('content-type') === 'text/html; charset=utf-8';
      if (isPage) expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|\sstyle=/u);
      const etag = response.headers.get('etag') ?? '';
      expect((await get(path, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } })).status).toBe(304);
    }
    const document = (await (await get('/openapi.json')).json()) as { paths: object };
    expect(Object.keys(document.paths)).toContain('/api/articles');
    expect((await get('/docs', { method: 'POST' })).status).toBe(405);
  });

  it('is served in production with `docs: true` alone, and then without the page at /', async () => {
    const statuses = async (schema: string, environment = {}) => {
      const get = await serve(schema, environment);
      const found = await Promise.all(PATHS.map(async (path) => (await get(path)).status));
      await served?.close();
      served = undefined;
      return found;
    };
    expect(await statuses(SCHEMA, PRODUCTION)).toEqual([404, 404, 404, 404]);
    expect(await statuses(`docs: true${SCHEMA}`, PRODUCTION)).toEqual([404, 200, 200, 200]);
    expect(await statuses(`docs: false${SCHEMA}`)).toEqual([404, 404, 404, 404]);
  });
});

describe('the content-type builder', () => {
  let types: { uid: string; schema: { attributes: object } }[];

  beforeAll(async () => {
    const get = await serve(SCHEMA);
    types = ((await (await get('/api/content-type-builder/content-types')).json()) as { data: typeof types }).data;
  });

  it('leaves out what the caller may not see: types, relations to them, private attributes', async () => {
    expect(types.map(({ uid }) => uid)).toEqual(['api::article.article']);
    expect(types[0]?.schema.attributes).toEqual({
      title: { type: 'string', required: true, maxLength: 20 },
      seo: { type: 'component', component: 'shared.seo', repeatable: false },
    });
  });

  it('tells the components of those, and nothing to who may not ask', async () => {
    const get = await serve(SCHEMA);
    const { data } = (await (await get('/api/content-type-builder/components')).json()) as { data: object };
    expect(data).toMatchObject([{ uid: 'shared.seo', category: 'shared', schema: { attributes: { metaTitle: {} } } }]);
    await served?.close();
    const closed = await serve(SCHEMA.replace(', content-type-builder: [find]', ''));
    expect((await closed('/api/content-type-builder/components')).status).toBe(403);
  });
});
