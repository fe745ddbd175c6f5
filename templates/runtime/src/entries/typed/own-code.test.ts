/** What a project's own code can do with entries, in a server with document ids. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { definition } from '../../../test-support/projects/market/src/generated/app.ts';
import { openProject, type TestProject, type TestServer } from '../../../test-support/test-project.ts';
import { relatedAfter } from '../../content/relations/related-after.ts';
import type { Caller } from '../../contract/policy/caller.ts';

let project: TestProject;
let server: TestServer;
/** The services of the server's own code. */
let own: any;
/** The events of hooks since the last test. */
let events: [name: string, event: any][] = [];

const note = (name: string) => (event: any) => void events.push([name, event]);

beforeAll(async () => {
  project = await openProject(definition);
  server = await project.start({}, {
    onStart: (services: unknown) => (own = services),
    hooks: {
      '*': {
        beforeUpdate: ({ type, data }: any) => (type === 'tag' ? { name: `${data.name} by all` } : undefined),
        committed: note('all'),
      },
      tag: {
        beforeUpdate: ({ data }: any) => ({ name: `${data.name}, then its own` }),
      },
      product: {
        beforeCreate: note('before'),
        beforeUpdate: note('before'),
        afterUpdate: note('after'),
      },
    },
  } as any);
});
afterAll(async () => {
  await server?.close();
  await project?.remove();
});

const visitor: Caller = { kind: 'public', role: 'public', permissions: new Set(['product.find', 'product.findOne']) };

test('document ids are keys, filters and results; private attributes are there for the server alone', async () => {
  const { product, tag } = own.entries;
  const { data: red } = await tag.create({ name: 'red' });
  const { data } = await product.create({ title: 'Lamp', cost: '3.50', tags: [red.documentId] });
  expect(data.documentId).toMatch(/^[a-z0-9]{24}$/u);
  expect(data.attributes).toMatchObject({ title: 'Lamp', cost: 3.5 });
  const one = await product.findOne(data.documentId, { populate: ['tags'] });
  expect(one.data.id).toBe(data.id);
  expect(one.data.attributes.tags.data[0]).toMatchObject({ id: red.id, documentId: red.documentId });
  const found = await product.find({ filters: { documentId: data.documentId, cost: { $lt: 4 } } });
  expect(found.data.map(({ id }: { id: number }) => id)).toEqual([data.id]);
  expect((await product.find({ filters: { tags: { documentId: red.documentId } } })).data).toHaveLength(1);
  await product.update(data.documentId, { price: '9.99' });

  const asVisitor = own.entries.as(visitor).product;
  expect((await asVisitor.findOne(data.documentId)).data.attributes).not.toHaveProperty('cost');
  await expect(asVisitor.find({ filters: { cost: { $lt: 4 } } })).rejects.toThrow(/cost/u);
  await expect(asVisitor.update(data.documentId, { price: '1' })).rejects.toThrow('Forbidden');
  const { body } = await server.send('GET', '/api/products');
  expect(body.data[0]).toMatchObject({ documentId: data.documentId, price: 9.99 });
  expect(body.data[0]).not.toHaveProperty('cost');
  await product.delete(data.documentId);
  await expect(product.findOne(data.documentId)).rejects.toThrow('Not Found');
  await expect(product.findOne('no id')).rejects.toThrow('Not Found');
});

test('many entries at a time: all of them, or none', async () => {
  const { part } = own.entries;
  const ids = await part.createMany(Array.from({ length: 1200 }, (_, index) => ({ name: `part ${index % 3}` })));
  expect([ids.length, await part.count()]).toEqual([1200, 1200]);
  await expect(part.createMany([{ name: 'left out' }, { name: 5 }])).rejects.toThrow('name must be');
  expect(await part.exists({ filters: { name: 'left out' } })).toBe(false);
  const streamed: number[] = [];
  for await (const { id } of part.stream({ sort: 'id:desc', fields: ['id'] })) streamed.push(id);
  expect(streamed).toEqual([...ids].reverse());
  expect(await part.updateMany({ filters: { name: 'part 1' } }, { code: 'x' })).toBe(400);
  expect(await part.count({ filters: { code: 'x' } })).toBe(400);
  expect(await part.deleteMany({ filters: { name: { $ne: 'part 1' } } })).toBe(800);
  expect(await part.count()).toBe(400);
  await expect(own.entries.as(visitor).part.deleteMany({})).rejects.toThrow('Forbidden');
});

test('hooks get relations in one form, the entry before an update, and run for all types', async () => {
  const { product, tag } = own.entries;
  const [a, b, c] = await tag.createMany([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  events = [];
  const { data } = await product.create({ title: 'Chair', tags: { connect: a } });
  await product.update(data.id, { tags: [b, { id: c }] });
  await product.update(data.id, { tags: { connect: [{ id: a, position: { before: c } }], disconnect: b } });
  const before = events.filter(([name]) => name === 'before').map(([, event]) => event.data.tags);
  expect(before).toEqual([
    { connect: [a], disconnect: [] },
    { set: [b, c] },
    { connect: [{ id: a, position: { before: c } }], disconnect: [b] },
  ]);
  const lists = before.reduce((all, change) => [...all, relatedAfter(all.at(-1) ?? [], change)], [] as any[]);
  expect(lists).toEqual([[a], [b, c], [a, c]]);
  const stored = await product.findOne(data.id, { populate: ['tags'] });
  expect(stored.data.attributes.tags.data.map(({ id }: { id: number }) => id)).toEqual(lists.at(-1));

  events = [];
  await product.update(data.id, { title: 'Stool', cost: '2.00' });
  const [after] = events.filter(([name]) => name === 'after').map(([, event]) => event);
  expect([after.before.attributes.title, after.entry.attributes.title]).toEqual(['Chair', 'Stool']);
  expect([after.before.attributes.cost, after.entry.attributes.cost]).toEqual([null, 2]);
  const all = events.filter(([name]) => name === 'all').map(([, event]) => event);
  expect(all).toMatchObject([{ type: 'product', action: 'update', before: { attributes: { title: 'Chair' } } }]);
  const { data: renamed } = await tag.update(a, { name: 'z' });
  expect(renamed.attributes.name).toBe('z by all, then its own');
});

test('entries are found by the key of their type, too', async () => {
  const { data } = await own.entries.product.create({ title: 'Round Table', cost: 1 });
  const byId = await server.send('GET', `/api/products/${data.documentId}?fields=title`);
  const bySlug = await server.send('GET', '/api/products/round-table?fields=title');
  expect(bySlug.body).toEqual(byId.body);
  expect(bySlug.body.data.title).toBe('Round Table');
  const again = await server.send('GET', '/api/products/round-table?fields=title', {
    headers: { 'If-None-Match': bySlug.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  const paths = ['no-such-table', 'Round-Table', '%00', encodeURIComponent("' OR 1=1")];
  const statuses = paths.map(async (key) => (await server.send('GET', `/api/products/${key}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 404]);
  expect((await server.send('GET', '/api/products/round-table?fields=cost')).status).toBe(400);
  expect((await server.send('DELETE', '/api/products/round-table')).status).toBe(403);
});

test('users and files are entries, too', async () => {
  const { user, file, product } = own.entries;
  const { data: bob } = await user.create({ username: 'bob', email: 'bob@example.org', password: 'a long password' });
  expect(bob.documentId).toBeDefined();
  expect(JSON.stringify(bob)).not.toMatch(/password|tokenGeneration|resetPassword/iu);
  const found = await user.find({ filters: { email: 'bob@example.org' }, populate: ['role'] });
  expect(found.data[0].attributes.role.data.attributes.type).toBe('authenticated');
  await user.update(bob.documentId, { blocked: true });
  expect((await server.signIn('bob', 'a long password')).status).toBe(400);
  await expect(user.find({ filters: { tokenGeneration: 0 } })).rejects.toThrow('tokenGeneration');
  await expect(own.entries.as(visitor).user.find()).rejects.toThrow('Forbidden');

  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const { data: dot } = await file.create({ name: 'dot.png', source: Buffer.from(png, 'base64'), caption: 'A dot' });
  expect(dot.attributes).toMatchObject({ name: 'dot.png', mime: 'image/png', caption: 'A dot' });
  const { data } = await product.create({ title: 'Dotted', photo: dot.documentId, seller: bob.id }, { populate: '*' });
  expect([data.attributes.photo.data.id, data.attributes.seller.data.id]).toEqual([dot.id, bob.id]);
  expect((await fetch(`${server.origin}${dot.attributes.url}`)).status).toBe(200);
  const inside = own.inTransaction(({ entries }: any) => entries.file.delete(dot.id));
  await expect(inside).rejects.toThrow('outside of transactions');
  await file.update(dot.documentId, { alternativeText: 'dot' });
  await file.delete(dot.documentId);
  expect((await fetch(`${server.origin}${dot.attributes.url}`)).status).toBe(404);
  await own.inTransaction(async ({ entries }: any) => {
    await entries.user.delete(bob.id);
    await entries.product.delete(data.id);
  });
  expect(await user.exists({ filters: { username: 'bob' } })).toBe(false);
});

test('drafts are written beside what is published, and published, taken back and discarded', async () => {
  const { story } = own.entries;
  const { data: one } = await story.create({ title: 'One' }, { status: 'draft' });
  const shown = async () =>
    (await story.find({ filters: { id: one.id } })).data.map((each: any) => each.attributes.title);
  expect(await shown()).toEqual([]);
  const published = await story.publish(one.documentId, { fields: ['title'] });
  expect(await shown()).toEqual(['One']);
  await expect(story.unpublish(one.id, { ifMatch: published.version + 7 })).rejects.toMatchObject({ status: 412 });
  await story.update(one.id, { title: 'Two' }, { status: 'draft' });
  expect(await shown()).toEqual(['One']);
  expect((await story.discardDraft(one.id)).data.attributes.title).toBe('One');
  await story.unpublish(one.id);
  expect(await shown()).toEqual([]);
  await expect(own.entries.as(visitor).story.publish(one.id)).rejects.toMatchObject({ status: 403 });
  await expect(own.entries.tag.publish(1)).rejects.toMatchObject({ status: 404 });
});
