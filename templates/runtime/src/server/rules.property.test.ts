/** Rules, on each engine: what a caller may not see makes no difference, and what a caller may not change stays as it is. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../test-support/engines.ts';
import { definition as magazine } from '../../test-support/projects/magazine/src/generated/app.ts';
import { testedEngines } from '../../test-support/runtime-database.ts';
import { createToken, openProject, type TestProject, type TestServer } from '../../test-support/test-project.ts';
import type { Rules } from '../contract/policy/rule.ts';
import type { JsonValue } from '../contract/values/json.ts';
import type { Database } from '../database/database.ts';
import type { DialectName } from '../database/dialect.ts';
import { openDatabase } from '../database/open-database.ts';
import { raw } from '../database/sql.ts';

const RUNS = 8;

type Where = Readonly<Record<string, JsonValue>>;

const ARTICLES: readonly Where[] = [
  { visibility: 'public' },
  { author: '$user' },
  { $or: [{ visibility: 'public' }, { author: '$user' }] },
  { team: { members: '$user' } },
  { team: { desk: '$user.desk' }, visibility: { $ne: 'public' } },
  { $not: { author: '$user' } },
  { $and: [{ category: { moderators: '$user' } }, { embargo: { $null: true } }] },
  { comments: { author: '$user' } },
  { comments: { $none: { hidden: true } } },
  { team: { desk: { $in: ['$user.desk', 'west'] } } },
];
const COMMENTS: readonly Where[] = [
  { hidden: false },
  { author: '$user' },
  { article: { author: '$user' } },
  { $or: [{ article: { visibility: 'public' } }, { featured: true }] },
];
const TEAMS: readonly Where[] = [{ members: '$user' }, { desk: '$user.desk' }];

/** Rules of reading: of some types there are none. */
const reading = fc.record({
  article: fc.constantFrom(...ARTICLES),
  comment: fc.option(fc.constantFrom(...COMMENTS), { nil: undefined }),
  team: fc.option(fc.constantFrom(...TEAMS), { nil: undefined }),
  hidesBody: fc.boolean(),
});

const QUERIES = [
  'articles?sort=title',
  'articles?sort=comments.text:desc,id&populate=*',
  'articles?filters[comments][text][$contains]=e&sort=id',
  'articles?filters[$not][comments][text][$contains]=o&sort=id:desc',
  'articles?_q=e&sort=team.name,id&pagination[pageSize]=2',
  'articles?populate[comments][count]=true&populate[team]=*&sort=id',
  'articles?pagination[after]=&pagination[pageSize]=2&sort=title&pagination[withCount]=true',
  'articles?filters[team][name][$startsWith]=t&populate=author',
  'articles?publicationState=preview&sort=category.name,title',
  'comments?populate[article][populate]=comments,team&sort=article.title,text',
  'comments?filters[article][team][name][$null]=true&sort=id',
  'comments?filters[article][comments][text][$contains]=a',
  'categories?populate[articles][populate]=comments&sort=articles.title',
  'categories?filters[articles][comments][text][$notContains]=u&populate=moderators',
  'teams?populate=articles,members&sort=articles.title:desc',
  'articles/1?populate=*',
  'articles/2?populate=comments',
  'articles/3',
  'comments/2?populate=article',
  'teams/1',
];

interface Place {
  /** Undefined for files of SQLite, which end with the project. */
  readonly temporary: TestDatabase | undefined;
  readonly database: Database;
  readonly server: TestServer;
  readonly admin: string;
  readonly token: string;
}

async function openPlace(project: TestProject, engine: DialectName, name: string): Promise<Place> {
  const temporary = engine === 'sqlite' ? undefined : await createDatabase(engine, name);
  const url = temporary?.url ?? project.urlOf(name);
  const server = await project.start({ DATABASE_URL: url });
  const database = await openDatabase(url);
  const admin = await createToken(database, { kind: 'full-access', name: 'admin' });
  const { jwt: token } = await server.register('ann');
  await server.register('bob');
  await database.script("UPDATE users SET desk = 'north' WHERE username = 'ann'");
  const add = async (path: string, data: object) => {
    const { status, text } = await server.send('POST', `/api/${path}`, { token: admin, body: { data } });
    if (status >= 300) throw new Error(text);
  };
  await add('teams', { name: 'red', desk: 'north', members: [1] });
  await add('teams', { name: 'blue', desk: 'south', members: [2] });
  await add('categories', { name: 'news', moderators: [1] });
  await add('categories', { name: 'sport', moderators: [2] });
  const titles = ['one', 'two', 'three', 'four', 'five', 'six'];
  for (const [index, title] of titles.entries()) {
    await add('articles', {
      title,
      body: `body of ${title}`,
      visibility: index % 2 === 0 ? 'public' : 'team',
      author: [1, 2, null][index % 3],
      category: (index % 2) + 1,
      team: [1, 2, 2, null][index % 4],
      publishedAt: index === 5 ? null : '2026-01-01T00:00:00.000Z',
    });
  }
  for (let index = 0; index < 9; index += 1) {
    await add('comments', {
      text: `${titles[index % 6]} again`,
      hidden: index % 3 === 0,
      featured: index === 4,
      author: [2, 1, null][index % 3],
      article: (index % 5) + 1,
    });
  }
  const time = engine === 'sqlite' ? '2026-01-01T00:00:00.000Z' : '2026-01-01 00:00:00.000';
  for (const table of ['articles', 'articles_published', 'comments', 'categories', 'teams', 'users']) {
    await database.script(`UPDATE ${table} SET created_at = '${time}', updated_at = '${time}'`);
  }
  return { temporary, database, server, admin, token };
}

/** Gives the role of the caller these rules, through the API. */
async function setRules({ server, admin }: Place, permissions: readonly string[], rules: Rules): Promise<void> {
  const { body } = await server.send('GET', '/api/users-permissions/roles', { token: admin });
  const { id } = body.roles.find(({ type }: any) => type === 'authenticated');
  const listed = permissions.map((action) => (rules[action] ? { action, rule: rules[action] } : action));
  const path = `/api/users-permissions/roles/${id}`;
  const { status, text } = await server.send('PUT', path, { token: admin, body: { permissions: listed } });
  if (status !== 200) throw new Error(text);
}

const idsIn = async ({ server }: Place, path: string, token: string): Promise<readonly number[]> => {
  const { body, text } = await server.send('GET', `/api/${path}`, { token });
  if (!body?.data) throw new Error(text);
  return body.data.map(({ id }: any) => id);
};

describe.each(await testedEngines())('on %s', (engine) => {
  let project: TestProject;
  let one: Place;
  let other: Place;

  beforeAll(async () => {
    const { rules: _, ...definition } = magazine;
    project = await openProject({ ...definition, rules: {} });
    one = await openPlace(project, engine, 'rules_one');
    other = await openPlace(project, engine, 'rules_two');
  }, 180_000);
  afterAll(async () => {
    for (const place of [one, other]) {
      await place?.server.close();
      await place?.database.close();
      await place?.temporary?.drop();
    }
    await project?.remove();
  });

  const answers = async ({ server, token }: Place, query: string) => {
    const plain = await server.send('GET', `/api/${query}`, { token });
    const flat = await server.send('GET', `/api/${query}`, { token, headers: { 'Strapi-Response-Format': 'v5' } });
    return [plain, flat].map(({ status, text, headers }) => [status, text, headers.get('etag')]);
  };

  /** Changes the texts of what the caller is not shown, and adds more of it. Returns how to undo that. */
  async function disturb(): Promise<() => Promise<void>> {
    const undo: (() => Promise<unknown>)[] = [];
    const texts = [
      ['articles', 'title', '?publicationState=preview'],
      ['comments', 'text', ''],
      ['teams', 'name', ''],
    ];
    for (const [table = '', column = '', state = ''] of texts) {
      const path = `${table}${state}${state === '' ? '?' : '&'}pagination[pageSize]=100`;
      const seen = await idsIn(other, path, other.token);
      for (const id of await idsIn(other, path, other.admin)) {
        if (seen.includes(id)) continue;
        const [row] = await other.database.all(raw(`SELECT ${column} AS text FROM ${table} WHERE id = ${id}`));
        await other.database.script(`UPDATE ${table} SET ${column} = 'zebra ${id} eou' WHERE id = ${id}`);
        undo.push(() =>
          other.database.script(`UPDATE ${table} SET ${column} = '${String(row?.['text'])}' WHERE id = ${id}`),
        );
      }
    }
    for (const article of [1, 2, 3, 4]) {
      const data = { text: 'aeiou', hidden: true, article, author: 2 };
      const { body } = await other.server.send('POST', '/api/comments', { token: other.admin, body: { data } });
      const remove = () => other.server.send('DELETE', `/api/comments/${body.data.id}`, { token: other.admin });
      const known = await idsIn(other, 'comments?pagination[pageSize]=100', other.token);
      const articlesIn = async (place: Place): Promise<string> => {
        const drafts = await idsIn(place, 'articles?publicationState=preview&pagination[pageSize]=100', place.token);
        return String([drafts, await idsIn(place, 'articles?pagination[pageSize]=100', place.token)]);
      };
      const [shown, before] = [await articlesIn(other), await articlesIn(one)];
      if (known.includes(body.data.id) || shown !== before) await remove();
      else undo.push(remove);
    }
    // Versions count the changes of relations, also to what is hidden: they are what an ETag is made of.
    for (const { database } of [one, other]) {
      for (const table of ['articles', 'articles_published', 'comments', 'categories', 'teams']) {
        await database.script(`UPDATE ${table} SET _version = 1`);
      }
    }
    return async () => {
      for (const each of undo.reverse()) await each();
    };
  }

  test('databases that differ in what the caller may not see answer the same bytes', async () => {
    const property = fc.asyncProperty(
      reading,
      fc.shuffledSubarray(QUERIES, { minLength: 6, maxLength: 8 }),
      async (by, queries) => {
        const except = by.hidesBody ? { except: ['body'] } : {};
        const rules: Rules = {
          'article.find': { where: by.article, ...except },
          'article.findOne': { where: by.article, ...except },
          ...(by.comment && { 'comment.find': { where: by.comment }, 'comment.findOne': { where: by.comment } }),
          ...(by.team && { 'team.find': { where: by.team }, 'team.findOne': { where: by.team } }),
          'article.preview': { where: { author: '$user' } },
        };
        const types = ['article', 'comment', 'category', 'team'];
        const permissions = [
          ...types.flatMap((type) => [`${type}.find`, `${type}.findOne`]),
          'article.preview',
          'users.find',
        ];
        for (const place of [one, other]) await setRules(place, permissions, rules);
        const restore = await disturb();
        try {
          for (const query of queries) expect(await answers(other, query), query).toEqual(await answers(one, query));
        } finally {
          await restore();
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  }, 300_000);

  test('no request changes what the rule of updates refuses', async () => {
    const where = { author: '$user' };
    const types = ['article', 'comment', 'category', 'team'];
    const actions = ['find', 'findOne', 'create', 'update', 'delete'];
    const all = types.flatMap((type) => actions.map((action) => `${type}.${action}`));
    const rules: Rules = {
      'article.update': { where, except: ['featured'] },
      'article.delete': { where },
      'comment.update': { where, except: ['hidden'] },
      'comment.delete': { where },
    };
    await setRules(one, [...all, 'article.preview', 'users.find'], rules);
    const id = fc.integer({ min: 1, max: 9 });
    const change = fc.oneof(
      fc.record({ connect: fc.array(id, { maxLength: 3 }) }),
      fc.record({ disconnect: fc.array(id, { maxLength: 3 }) }),
      fc.uniqueArray(id, { maxLength: 4 }),
    );
    const request = fc.oneof(
      fc.tuple(fc.constantFrom('categories', 'teams'), id, change).map(([path, of, articles]) => ({
        method: 'PUT',
        path: `${path}/${(of % 2) + 1}`,
        data: { articles },
      })),
      fc.tuple(id, change).map(([of, comments]) => ({ method: 'PUT', path: `articles/${of}`, data: { comments } })),
      fc
        .tuple(id, id)
        .map(([of, author]) => ({ method: 'PUT', path: `comments/${of}`, data: { author: (author % 2) + 1 } })),
      change.map((articles) => ({ method: 'POST', path: 'teams', data: { name: 'new', articles } })),
      change.map((comments) => ({ method: 'POST', path: 'articles', data: { title: 'new', comments } })),
      fc.tuple(fc.constantFrom('articles', 'comments', 'teams'), id).map(([path, of]) => ({
        method: 'DELETE',
        path: `${path}/${of}`,
        data: undefined,
      })),
    );
    const columns = {
      articles: 'id, title, featured, author_id, category_id, team_id',
      comments: 'id, text, hidden, author_id, article_id',
    };
    const others = async () =>
      JSON.stringify(
        await Promise.all(
          Object.entries(columns).map(([table, names]) =>
            one.database.all(
              raw(`SELECT ${names} FROM ${table} WHERE author_id IS NULL OR author_id <> 1 ORDER BY id`),
            ),
          ),
        ),
        (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
      );
    const before = await others();
    const property = fc.asyncProperty(request, async ({ method, path, data }) => {
      const options = { token: one.token, ...(data && { body: { data } }) };
      const { status } = await one.server.send(method, `/api/${path}`, options);
      expect(status).toBeLessThan(500);
      // What a request creates is nobody's.
      await one.database.script(`DELETE FROM articles WHERE title = 'new'`);
      expect(await others()).toBe(before);
    });
    await fc.assert(property, { numRuns: RUNS * 8 });
  }, 300_000);
});
