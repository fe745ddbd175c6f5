/** Section 3.6: lists of relations, and everything that can be wrong with a change of one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackedServer, startAttacked } from '../support/attacks/server.ts';

let server: AttackedServer;
let ids: Readonly<Record<string, number>>;
beforeAll(async () => {
  server = await startAttacked();
  ids = server.seed.ids;
});
afterAll(() => server?.stop());

function id(name: string): number {
  return ids[name] ?? 0;
}

async function put(data: object, path = `/api/articles/${id('first')}`) {
  return server.call('writer', 'PUT', `${path}?populate=*`, { data });
}

/** Refused with 400; answers the paths of what is wrong. */
async function refused(data: object, path?: string): Promise<string[]> {
  const { status, body } = await put(data, path);
  expect(status, JSON.stringify(data)).toBe(400);
  return body.error.details.errors.map((error: { path: string[] }) => error.path.join('.'));
}

function relatedIds(body: any, name = 'tags'): number[] {
  return body.data.attributes[name].data.map((entry: { id: number }) => entry.id);
}

describe('what a change of a relation may look like', () => {
  test('B81: nobody is connected twice, in whatever spelling', async () => {
    const [red, blue] = [id('red'), id('blue')];
    for (const [tags, path] of [
      [{ connect: [red, { id: red }] }, 'tags.connect.1'],
      [{ connect: [red, String(red)] }, 'tags.connect.1'],
      [{ connect: [blue, red, { id: String(blue), position: { end: true } }] }, 'tags.connect.2'],
      [{ connect: [red, { id: red, type: 'tag' }] }, 'tags.connect.1'],
      [{ set: [red, red] }, 'tags.set.1'],
      [[red, blue, { id: red }], 'tags.2'],
    ] as const) {
      expect(await refused({ tags }), JSON.stringify(tags)).toEqual([path]);
    }
  });

  test('B82: `set` stands alone', async () => {
    const red = id('red');
    for (const more of [{ connect: [red] }, { disconnect: [red] }, { connect: [], disconnect: [] }]) {
      await refused({ tags: { set: [red], ...more } });
      await refused({ author: { set: [id('ann')], ...more } });
    }
    await refused({ tags: { set: [{ id: red, position: { start: true } }] } });
    await refused({ tags: { disconnect: [{ id: red, position: { start: true } }] } });
  });

  test('B83: a position is exactly one, and not of itself', async () => {
    const [red, blue] = [id('red'), id('blue')];
    for (const position of [
      ...[{ start: true, end: true }, { before: blue, after: blue }, { start: false }, { end: 'true' }, { start: 1 }],
      ...[{ before: null }, { before: red }, { after: String(red) }, { middle: true }, { before: { title: blue } }],
      ...[{ before: -1 }, { before: [blue] }, { after: '1 ' }, { start: true, x: 1 }, [], 'start', true],
    ]) {
      await refused({ tags: { connect: [{ id: red, position }] } });
    }
    // None at all is the end.
    for (const position of [{}, null]) {
      const { body } = await put({ tags: { set: [red, blue] } });
      expect(relatedIds(body)).toEqual([red, blue]);
      const moved = await put({ tags: { connect: [{ id: red, position }] } });
      expect(relatedIds(moved.body)).toEqual([blue, red]);
    }
    await put({ tags: { set: [red, blue] } });
  });

  test('B84: an anchor must be in the list, or added by the same request', async () => {
    const tag = async (name: string): Promise<number> =>
      (await server.call('writer', 'POST', '/api/tags', { data: { name } })).body.data.id;
    const [a, b, c] = [await tag('a'), await tag('b'), await tag('c')];
    expect(await refused({ tags: { connect: [a, { id: b, position: { before: c } }] } })).toEqual(['tags.connect.1']);
    expect(await refused({ tags: { connect: [{ id: b, position: { after: 987_654 } }] } })).toEqual(['tags.connect.0']);
    const circle = [a, b].map((tagId, index) => ({ id: tagId, position: { after: [b, a][index] } }));
    expect((await refused({ tags: { connect: circle } }))[0]).toMatch(/^tags\.connect\.[01]$/);
    const later = await put({
      tags: {
        connect: [
          { id: c, position: { before: a } },
          { id: a, position: { start: true } },
        ],
      },
    });
    expect(relatedIds(later.body)).toEqual([c, a, id('red'), id('blue')]);
    const taken = await put({ tags: { disconnect: [a, c], connect: [{ id: b, position: { after: a } }] } });
    expect(relatedIds(taken.body)).toEqual([b, id('red'), id('blue')]);
    await put({ tags: { set: [id('red'), id('blue')] } });
  });

  test('B85: files are given whole, not connected', async () => {
    for (const change of [
      { connect: [id('file')] },
      { disconnect: [id('file')] },
      { set: [id('file')], connect: [] },
    ]) {
      expect(await refused({ hero: change })).not.toEqual([]);
      expect(await refused({ gallery: change })).not.toEqual([]);
      await refused({ seo: { social: [{ card: { image: change } }] } });
    }
  });

  test('B87, B88: a target must be an existing entry of the right type', async () => {
    const gone = (await server.call('writer', 'POST', '/api/tags', { data: { name: 'gone' } })).body.data.id as number;
    await server.call('writer', 'DELETE', `/api/tags/${gone}`);
    for (const target of [gone, 987_654, -1, 1.5, '1 ', '01x', '1e0', 2 ** 53, '9223372036854775808', true, [1], {}]) {
      for (const tags of [[target], { connect: [target] }, { connect: [{ id: target }] }, { set: [target] }]) {
        await refused({ tags });
      }
      // An id of a tag may be one of an author too, and an object or a list is another form.
      const author = target === gone || typeof target === 'object' ? 987_654 : target;
      await refused({ blocks: [{ __component: 'shared.card', author }] });
    }
    for (const type of ['vault', 'author', 'api::author.author', '', 'tags', 1, null, '__proto__', ['tag']]) {
      await refused({ tags: { connect: [{ id: id('red'), type }] } });
      await refused({ subject: { id: 1, type: type === 'vault' ? 'article' : type } });
    }
    await refused({ subject: { connect: [{ id: id('red') }] } });
    const missing = await put({ tags: { connect: [987_654, id('red'), 987_655] } });
    expect(missing.body.error.message).toMatch(/987654.*987655/);
  });

  test('B89: inherited keys are not keys of an element', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'length']) {
      for (const element of [`{"${key}":{"id":1}}`, `{"id":1,"${key}":1}`, `{"id":1,"position":{"${key}":true}}`]) {
        const body = `{"data":{"tags":{"connect":[${element}]}}}`;
        const headers = { 'Content-Type': 'application/json' };
        const answer = await server.call('writer', 'PUT', `/api/articles/${id('first')}`, { body, headers });
        expect(answer.status, body).toBe(400);
      }
    }
  });
});

describe('what a change does', () => {
  test('B90: of several changes of one position the last wins, and all are checked', async () => {
    const [ann, bob] = [id('ann'), id('bob')];
    for (const author of [
      [bob, ann],
      { connect: [bob, ann] },
      { set: [bob, ann] },
      { connect: [{ id: bob }, { id: ann }] },
    ]) {
      await put({ author: null });
      expect((await put({ author })).body.data.attributes.author.data.id).toBe(ann);
    }
    for (const author of [[987_654, ann], { connect: [987_654, ann] }, { set: [987_654, ann] }, [ann, ann]]) {
      await refused({ author });
    }
  });

  test('B91: one failing element undoes all of a request', async () => {
    const [red, blue] = [id('red'), id('blue')];
    await refused({ title: 'changed', author: id('bob'), tags: { disconnect: [red, blue] }, related: [987_654] });
    await refused({ title: 'changed', seo: { metaTitle: 'x' }, tags: { set: [] }, code: 'B-2' });
    await refused({ blocks: [{ __component: 'shared.card', author: 987_654 }], gallery: [], tags: [] });
    const created = await server.call('writer', 'POST', '/api/articles', {
      data: { title: 'x', tags: [red], related: [id('second'), 987_654], seo: { social: [{ network: 'a' }] } },
    });
    expect(created.status).toBe(400);
  });

  test('B92: relations to itself and from both sides stay consistent', async () => {
    const first = id('first');
    const self = await put({ related: [first, id('second')] });
    expect(relatedIds(self.body, 'related')).toEqual([first, id('second')]);
    const author = await server.call('writer', 'PUT', `/api/authors/${id('bob')}?populate=articles`, {
      data: { articles: { connect: [first], disconnect: [id('second')] } },
    });
    expect(relatedIds(author.body, 'articles')).toEqual([first]);
    const [one, two] = [first, id('second')].map((entry) =>
      server.get('reader', `/api/articles/${entry}?populate=author`),
    );
    expect((await one)?.body.data.attributes.author.data.id).toBe(id('bob'));
    expect((await two)?.body.data.attributes.author.data).toBeNull();
    const both = await put({ author: id('ann'), tags: { set: [id('blue')] }, related: { disconnect: [first] } });
    expect(relatedIds(both.body)).toEqual([id('blue')]);
    const tag = await server.get('reader', `/api/tags/${id('red')}?populate=articles`);
    expect(relatedIds(tag.body, 'articles')).not.toContain(first);
    const counted = await server.state.rows(
      'SELECT owner_id, target_id, count(*) AS n FROM articles_tags_links GROUP BY owner_id, target_id HAVING n > 1',
    );
    expect(counted).toEqual([]);
  });

  test('B86: ten thousand elements in the worst order are a matter of seconds', async () => {
    const count = 10_000;
    const now = '2024-01-01T00:00:00.000Z';
    await server.state.script(
      `INSERT INTO tags (id, name, created_at, updated_at) WITH RECURSIVE n(i) AS (SELECT 20001 UNION ALL SELECT i + 1 FROM n WHERE i < 20000 + ${count}) SELECT i, 'many ' || i, '${now}', '${now}' FROM n`,
    );
    // Each waits for the next one.
    const chain = Array.from({ length: count }, (_, index) => {
      const tag = 20_001 + index;
      return index === count - 1 ? { id: tag } : { id: tag, position: { before: tag + 1 } };
    });
    const path = `/api/articles/${id('third')}`;
    const connected = await server.call('writer', 'PUT', path, { data: { tags: { connect: chain } } });
    expect(connected.status).toBe(200);
    expect(connected.ms).toBeLessThan(15_000);
    const rows = await server.state.rows(
      `SELECT target_id FROM articles_tags_links WHERE owner_id = ${id('third')} AND target_id > 20000 ORDER BY position`,
    );
    expect(rows.map(({ target_id }) => target_id)).toEqual(chain.map((element) => element.id));
    const reversed = chain.map(({ id: tag }) => ({ id: tag, position: { start: true } }));
    const moved = await server.call('writer', 'PUT', path, { data: { tags: { connect: reversed } } });
    expect(moved.status).toBe(200);
    expect(moved.ms).toBeLessThan(15_000);
    const wrong = await server.call('writer', 'PUT', path, { data: { tags: { connect: [...reversed, 987_654] } } });
    expect(wrong.status).toBe(400);
  });
});
