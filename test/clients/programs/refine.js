// The data provider of refine for Strapi 4, called as its hooks call it.
import { AuthHelper, DataProvider } from '@refinedev/strapi-v4';

export async function drive(origin) {
  const api = `${origin}/api`;
  const provider = DataProvider(api);
  const create = async (resource, variables) => (await provider.create({ resource, variables })).data.data;

  const ann = await create('authors', { name: 'Refine & Ann' });
  const topics = [await create('topics', { name: 'refine one' }), await create('topics', { name: 'refine two' })];
  const many = await provider.createMany({
    resource: 'articles',
    variables: [1, 2, 3].map((pages) => ({ title: `Refine ${pages}`, pages, author: ann.id, topics: [topics[0].id] })),
  });
  const ids = many.data.map(({ data }) => data.id);
  const list = await provider.getList({
    resource: 'articles',
    pagination: { currentPage: 1, pageSize: 2 },
    sorters: [
      { field: 'pages', order: 'desc' },
      { field: 'title', order: 'asc' },
    ],
    filters: [
      { field: 'title', operator: 'contains', value: 'refine' },
      { field: 'author.name', operator: 'eq', value: 'Refine %26 Ann' },
      {
        operator: 'or',
        value: [
          { field: 'pages', operator: 'gte', value: 2 },
          { field: 'id', operator: 'in', value: ids },
        ],
      },
    ],
    meta: { populate: ['author', 'topics'], publicationState: 'live', locale: 'en' },
  });
  const plain = await provider.getList({ resource: 'topics' });
  const some = await provider.getMany({ resource: 'articles', ids, meta: { fields: ['title'] } });
  const one = await provider.getOne({
    resource: 'articles',
    id: ids[0],
    meta: { populate: { topics: { fields: ['name'], sort: ['name:desc'] }, author: true } },
  });
  await provider.update({
    resource: 'articles',
    id: ids[0],
    variables: { topics: topics.map(({ id }) => id).reverse() },
  });
  const changed = await provider.getOne({ resource: 'articles', id: ids[0], meta: { populate: ['topics'] } });
  const refused = await provider.create({ resource: 'topics', variables: { name: null } }).catch((error) => error);
  await provider.deleteOne({ resource: 'articles', id: ids[0] });
  await provider.deleteMany({ resource: 'articles', ids: ids.slice(1) });
  const left = await provider.getMany({ resource: 'articles', ids });

  const auth = AuthHelper(api);
  const account = { username: 'refine', email: 'refine@example.org', password: 'a long password' };
  await provider.custom({ url: `${api}/auth/local/register`, method: 'post', payload: account });
  const { data: session } = await auth.login(account.email, account.password);
  const me = await auth.me(session.jwt, { meta: { populate: [] } });
  return {
    total: list.total,
    titles: list.data.map(({ title }) => title),
    author: list.data[0].author.name,
    topics: list.data[0].topics.map(({ name }) => name),
    plain: plain.data.length,
    some: some.data.length,
    one: [one.data.author.name, one.data.topics.length],
    changed: changed.data.topics.map(({ name }) => name),
    refused: [refused.statusCode, Object.keys(refused.errors)],
    left: left.data.length,
    me: me.data.username,
  };
}
