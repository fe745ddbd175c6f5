/** GraphQL: attributes that the rule of a caller leaves out are null, with an error at their places, and all others are answered. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, type TestProject, type TestServer } from '../templates/runtime/test-support/test-project.ts';
import { openSchema } from './support/served-project.ts';

const schemaOf = (format: string) => `
name: hidden
databases: [sqlite]
api: { format: ${format} }
graphql: true
contentTypes:
  article:
    attributes:
      title: { type: string }
      secret: { type: string }
      code: { type: string, required: true }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: articles }
      seo: { type: component, component: shared.seo }
  author:
    attributes:
      name: { type: string }
      articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }
components:
  shared.seo: { attributes: { text: { type: string } } }
permissions:
  public:
    article:
      - find: { except: [secret, code, seo] }
      - findOne: { except: [code, author] }
      - create: { except: [secret] }
    author: [find, findOne]
`;

describe.each(['v4', 'v5'] as const)('in the format %s', (format) => {
  let project: TestProject;
  let server: TestServer;
  let token: string;
  let id: string;
  /** The fields of an entry, within what is around them. */
  const entry = (fields: string) => (format === 'v4' ? `{ data { attributes { ${fields} } } }` : `{ ${fields} }`);
  const within = (path: string) => (format === 'v4' ? path.replace('.*', '.data.*.attributes') : path);
  const unwrap = (value: any): any => {
    if (format === 'v5' || value === null) return value;
    const { data } = value;
    return Array.isArray(data) ? data.map((one) => one.attributes) : data.attributes;
  };

  beforeAll(async () => {
    project = await openSchema(schemaOf(format));
    server = await project.start();
    const database = await project.open();
    token = await createToken(database, { kind: 'full-access' });
    await database.close();
    const author = (await server.send('POST', '/api/authors', { token, body: { data: { name: 'Ann' } } })).body.data;
    const data = { title: 'A', secret: 's', code: 'c', author: author.id, seo: { text: 't' } };
    const made = (await server.send('POST', '/api/articles', { token, body: { data } })).body.data;
    id = format === 'v4' ? String(made.id) : made.documentId;
  });
  afterAll(async () => {
    await server?.close();
    await project?.remove();
  });

  const ask = async (query: string, as?: string): Promise<any> => {
    const { body, status } = await server.send('POST', '/graphql', { body: { query }, ...(as && { token: as }) });
    expect(status).toBe(200);
    return body;
  };
  const places = (errors: readonly any[] = []) =>
    errors.map(({ path, extensions }) => `${path.join('.')} ${extensions.code}`);
  const key = () => (format === 'v4' ? `id: ${id}` : `documentId: "${id}"`);

  it('lists leave out what find does, and one entry what findOne does', async () => {
    const list = await ask(`{ articles ${entry('title hidden: secret seo { text }')} }`);
    expect(unwrap(list.data.articles)).toEqual([{ title: 'A', hidden: null, seo: null }]);
    expect(places(list.errors)).toEqual(
      ['hidden', 'seo'].map((name) => `${within(`articles.*.${name}`).replace('*', '0')} FORBIDDEN`),
    );
    const one = await ask(`{ article(${key()}) ${entry(`title secret seo { text } author ${entry('name')}`)} }`);
    expect(unwrap(one.data.article)).toEqual({ title: 'A', secret: 's', seo: { text: 't' }, author: null });
    expect(places(one.errors)).toEqual([`${within('article.*.author').replace('.*', '')} FORBIDDEN`]);
  });

  it('entries behind relations leave out what find does', async () => {
    const { data, errors } = await ask(`{ authors ${entry(`name articles ${entry('title secret')}`)} }`);
    const [author] = unwrap(data.authors);
    expect([author.name, unwrap(author.articles)]).toEqual(['Ann', [{ title: 'A', secret: null }]]);
    expect(errors).toMatchObject([{ message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } }]);
  });

  it('answers of writes leave out what findOne does', async () => {
    const data = '{ title: "B", code: "d" }';
    const answer = await ask(`mutation { createArticle(data: ${data}) ${entry(`title author ${entry('name')}`)} }`);
    expect(unwrap(answer.data.createArticle)).toEqual({ title: 'B', author: null });
    expect(places(answer.errors)[0]).toMatch(/author FORBIDDEN$/u);
  });

  it('an entry is null if it must have what is left out', async () => {
    const { data, errors } = await ask(`{ article(${key()}) ${entry('title code')} authors ${entry('name')} }`);
    expect(errors).toHaveLength(1);
    expect(places(errors)[0]).toMatch(/code FORBIDDEN$/u);
    expect(JSON.stringify(data.article)).not.toContain('"A"');
    expect(unwrap(data.authors)).toEqual([{ name: 'Ann' }]);
  });

  it('filters and sort keys can name none of it, and whoever may see everything does', async () => {
    const filtered = await ask(`{ articles(filters: { secret: { eq: "s" } }) ${entry('title')} }`);
    const sorted = await ask(`{ articles(sort: "secret") ${entry('title')} }`);
    expect([filtered, sorted].map(({ data }) => data.articles)).toEqual([null, null]);
    const all = await ask(`{ articles ${entry('title secret seo { text }')} }`, token);
    expect(all.errors).toBeUndefined();
    expect(unwrap(all.data.articles)[0]).toEqual({ title: 'A', secret: 's', seo: { text: 't' } });
  });
});
