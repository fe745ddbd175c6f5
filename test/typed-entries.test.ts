/**
 * The team's own code on the entries of a generated server: fixtures/every-attribute/extensions.ts. That its types are as they
 * should be, and that the mistakes in it are found, is checked where all trees are compiled.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, root } from './support/project.ts';
import { fixtureSchema, type ServedProject, serveProject } from './support/served-project.ts';

let server: ServedProject;

beforeAll(async () => {
  const extensions = join(root, 'fixtures/every-attribute/extensions.ts');
  server = await serveProject(await fixtureSchema('every-attribute'), { extensions });
});
afterAll(() => server?.close());

async function get(path: string) {
  return (await request(server.origin, 'GET', path)).body;
}

describe("the team's own code", () => {
  it('writes entries, with the hooks and checks of a request', async () => {
    expect(await get('/api/own/writes')).toEqual({
      tags: ['first'],
      quote: 'blocks.quote',
      pages: 2,
      // Its tag was deleted by then.
      // That of the published version, then those of the draft.
      versions: [expect.any(Number), 2, true, 3],
      seo: null,
      saved: [true, 5, true],
      // The article is a draft by then.
      removed: ['first', 0],
      names: ['a1', 'a2', 'b', 'b 2'],
    });
    // Made by a hook, through the entries in its event.
    const { data } = await get('/api/tags');
    expect(data.map((tag: any) => tag.attributes.name)).toContain('imprint: by us');
    const { error } = await get('/api/own/refused');
    expect(error.details.errors.map(({ path }: any) => path)).toEqual([['title']]);
  });

  it('reads what it names, filtered, sorted and cut to size', async () => {
    expect(await get('/api/own/reads')).toEqual([
      {
        total: 1,
        headline: '50% off a2 a1',
        isbn: 16,
        quotes: ['q'],
        pictures: [],
        others: 's',
        section: 'l',
      },
    ]);
  });

  it('finds nothing by an empty list', async () => {
    expect(await get('/api/own/nobody')).toEqual([]);
  });

  it('may do what its caller may, and no more', async () => {
    expect(await get('/api/own/reviewers')).toMatchObject({ error: { status: 403 } });
    expect(await get('/api/own/secrets')).toMatchObject({ error: { status: 403 } });
  });

  it.each(['option', 'argument'])('does not take a caller for no caller, where it is given as an %s', async (place) => {
    expect(await get(`/api/own/by-${place}`)).toMatchObject({ data: null, error: { status: 500 } });
  });

  it('answers with what a service returns, as it is', async () => {
    const { data } = await get('/api/own/tags');
    expect(data.length).toBeGreaterThan(0);
    for (const path of ['tags?populate=*&sort=name', `tags/${data[0].id}?fields=name`]) {
      expect(await get(`/api/own/${path}`)).toEqual(await get(`/api/${path}`));
    }
  });
});
