/** Attributes that depend on others, over HTTP on each engine: create, partial update, drafts, locales, components, both formats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../templates/runtime/src/database/open-database.ts';
import { strapiSchemas } from '../src/strapi-content/export/strapi-schema.ts';
import { createDatabase, type TestDatabase } from '../templates/runtime/test-support/engines.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const SCHEMA = `
name: visible-attributes
databases: [sqlite, postgres, mysql]
api: { format: v4 }
locales: [en, fr]
contentTypes:
  link:
    attributes:
      label: { type: string, visible: { unless: { type: none } } }
      type: { type: enumeration, enum: [internal, external, none], default: internal }
      url: { type: string, required: true, visible: { when: { type: external } } }
      page: { type: relation, relation: manyToOne, target: page, required: true, visible: { when: { type: internal, pinned: true } } }
      pinned: { type: boolean }
      price: { type: decimal, visible: { when: { type: [external, none] } } }
      color: { type: string, default: red, visible: { when: { pinned: true } } }
      note: { type: string, visible: { when: { label: special } } }
      items: { type: component, component: shared.item, repeatable: true }
  page:
    draftAndPublish: true
    localized: true
    attributes:
      kind: { type: enumeration, enum: [a, b], localized: false }
      text: { type: string, required: true, visible: { when: { kind: a } } }
components:
  shared.item:
    attributes:
      kind: { type: enumeration, enum: [a, b] }
      text: { type: string, required: true, visible: { when: { kind: a } } }
`;

const engines = await testedEngines();

let project: TestProject;
beforeAll(async () => {
  project = await openSchema(SCHEMA);
});
afterAll(() => project?.remove());

it('is exported to Strapi in its JSON logic', () => {
  const link = strapiSchemas(project.definition.contentTypes, 5).find(({ uid }) => uid === 'api::link.link') as any;
  const { url, page, price, label, type } = link.attributes;
  expect([url.required, url.conditions]).toEqual([true, { visible: { '==': [{ var: 'type' }, 'external'] } }]);
  const both = [{ '==': [{ var: 'type' }, 'internal'] }, { '==': [{ var: 'pinned' }, true] }];
  expect(page.conditions).toEqual({ visible: { and: both } });
  const either = [{ '==': [{ var: 'type' }, 'external'] }, { '==': [{ var: 'type' }, 'none'] }];
  expect(price.conditions).toEqual({ visible: { or: either } });
  expect(label.conditions).toEqual({ visible: { '!=': [{ var: 'type' }, 'none'] } });
  expect([type.conditions, 'visible' in url]).toEqual([undefined, false]);
});

describe.each(engines)('on %s', (engine) => {
  let made: TestDatabase | undefined;
  let server: TestServer;
  let token: string;

  beforeAll(async () => {
    if (engine !== 'sqlite') made = await createDatabase(engine, 'visible_attributes');
    const name = `visible-${engine}`;
    const url = made?.url ?? project.urlOf(name);
    server = await project.start({ DATABASE_URL: url }, {}, name);
    const database = await openDatabase(url);
    token = await createToken(database, { kind: 'full-access' });
    await database.close();
  });
  afterAll(async () => {
    await server?.close();
    await made?.drop();
  });

  const send = async (method: string, path: string, data: object) => {
    const headers = { 'strapi-response-format': 'v5' };
    const { status, body } = await server.send(method, `/api${path}`, { token, headers, body: { data } });
    const problems = body.error?.details?.errors?.map(({ path: at, message }: any) => `${at.join('.')}: ${message}`);
    return { status, problems, entry: body.data };
  };
  const create = async (path: string, data: object) => {
    const { status, problems, entry } = await send('POST', path, data);
    expect([status, problems]).toEqual([201, undefined]);
    return entry;
  };
  const problemsOf = async (method: string, path: string, data: object): Promise<unknown> => {
    const { status, problems } = await send(method, path, data);
    return status === 400 ? problems : status;
  };

  it('requires a value only where the attribute is visible, and takes one only there', async () => {
    expect(await problemsOf('POST', '/links', { type: 'external' })).toEqual([
      'url: url must be defined where type is external',
    ]);
    expect(await problemsOf('POST', '/links', { type: 'external', url: null })).toEqual([
      'url: url cannot be null where type is external',
    ]);
    expect(await problemsOf('POST', '/links', { type: 'internal', url: 'x' })).toEqual([
      'url: url is only taken where type is external',
    ]);
    expect(await problemsOf('POST', '/links', { url: 'x', pinned: true })).toEqual([
      'url: url is only taken where type is external',
      'page: page must be defined where type is internal and pinned is true',
    ]);
    const external = await create('/links', { type: 'external', url: 'x', price: 1.5 });
    expect([external.url, external.price, external.color]).toEqual(['x', 1.5, null]);
    expect((await create('/links', { type: 'none', price: 2, pinned: true })).color).toBe('red');
    expect((await create('/links', { url: null })).type).toBe('internal');
    expect((await create('/links', { type: null, label: 'x' })).label).toBe('x');
  });

  it('counts an attribute that is not visible as empty for the conditions of others', async () => {
    expect((await create('/links', { label: 'special', note: 'n' })).note).toBe('n');
    expect(await problemsOf('POST', '/links', { type: 'none', note: 'n' })).toEqual([
      'note: note is only taken where label is special',
    ]);
  });

  it('decides about a partial update together with the stored entry, and keeps what becomes invisible', async () => {
    const { documentId } = await create('/links', { type: 'external', url: 'x', price: 1.5 });
    const path = `/links/${documentId}`;
    expect(await problemsOf('PUT', path, { url: 'y' })).toBe(200);
    expect(await problemsOf('PUT', path, { url: null })).toEqual(['url: url cannot be null where type is external']);
    const hidden = await send('PUT', path, { type: 'internal' });
    expect([hidden.status, hidden.entry.url]).toEqual([200, 'y']);
    expect(await problemsOf('PUT', path, { url: 'z' })).toEqual(['url: url is only taken where type is external']);
    expect(await problemsOf('PUT', path, { type: 'internal', url: 'y', price: '1.50' })).toBe(200);
    expect(await problemsOf('PUT', path, { pinned: true })).toEqual([
      'page: page must be defined where type is internal and pinned is true',
    ]);
    expect((await send('PUT', path, { url: null })).entry.url).toBe(null);
    expect(await problemsOf('PUT', path, { type: 'external' })).toEqual([
      'url: url cannot be null where type is external',
    ]);
    expect((await send('PUT', path, { type: 'external', url: 'new' })).entry.url).toBe('new');
  });

  it('decides about each item of a component, also with what is stored of it', async () => {
    expect(await problemsOf('POST', '/links', { items: [{ kind: 'a' }, { kind: 'b', text: 't' }] })).toEqual([
      'items.0.text: items[0].text must be defined where kind is a',
      'items.1.text: items[1].text is only taken where kind is a',
    ]);
    const { documentId } = await create('/links', { items: [{ kind: 'a', text: 't' }, { kind: 'b' }] });
    const path = `/links/${documentId}`;
    const read = await server.send('GET', `/api${path}?populate=items`, {
      token,
      headers: { 'strapi-response-format': 'v5' },
    });
    const [first, second] = read.body.data.items;
    expect(await problemsOf('PUT', path, { items: [{ id: first.id }, { id: second.id, text: 'no' }] })).toEqual([
      'items.1.text: items.1.text is only taken where kind is a',
    ]);
    expect(await problemsOf('PUT', path, { items: [{ id: second.id, kind: 'a' }] })).toEqual([
      'items.0.text: items.0.text must be defined where kind is a',
    ]);
    expect(await problemsOf('PUT', path, { items: [{ id: first.id, kind: 'b', text: 't' }, { id: second.id }] })).toBe(
      200,
    );
  });

  it('lets drafts lack values, and checks them when they are published; shared values decide in all locales', async () => {
    const draft = await server.send('POST', '/api/pages', { token, body: { data: { kind: 'a', publishedAt: null } } });
    expect(draft.status).toBe(201);
    const { id } = draft.body.data;
    const put = async (data: object) => {
      const { status, body } = await server.send('PUT', `/api/pages/${id}`, { token, body: { data } });
      return status === 200 ? 200 : body.error.message;
    };
    const publishedAt = new Date().toISOString();
    expect(await put({ publishedAt })).toBe('text cannot be null where kind is a');
    expect(await put({ publishedAt, kind: 'b' })).toBe(200);
    expect(await put({ kind: 'a' })).toBe('text cannot be null where kind is a');
    expect(await put({ kind: 'a', text: 'en' })).toBe(200);
    const french = async (body: object) => {
      const answer = await server.send('POST', `/api/pages/${id}/localizations`, {
        token,
        body: { locale: 'fr', ...body },
      });
      return answer.status < 300 ? answer.status : answer.body.error.message;
    };
    expect(await french({ publishedAt })).toBe('text must be defined where kind is a');
    expect(await french({ publishedAt, text: 'fr' })).toBeLessThan(300);
  });
});
