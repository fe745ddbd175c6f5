// The data provider of react-admin for Strapi 4, called as its hooks call it.
import { strapiRestProvider } from 'ra-strapi-v4-rest';

export async function drive(origin) {
  const provider = strapiRestProvider(`${origin}/api`);
  const create = async (resource, data) => (await provider.create(resource, { data })).data;
  const page = { pagination: { page: 1, perPage: 2 }, sort: { field: 'id', order: 'ASC' } };

  const ann = await create('authors', { name: 'React Ann' });
  const topic = await create('topics', { name: 'react topic' });
  const articles = [];
  for (const pages of [1, 2, 3]) {
    articles.push(await create('articles', { title: `React ${pages}`, pages, author: ann.id, topics: [topic.id] }));
  }
  const ids = articles.map(({ id }) => id);
  const list = await provider.getList('articles', { ...page, filter: { title_q: 'REACT', pages_gte: 2 } });
  const ofAuthor = await provider.getManyReference('articles', {
    ...page,
    target: 'author.id',
    id: ann.id,
    filter: {},
  });
  const many = await provider.getMany('articles', { ids });
  const { data: record } = await provider.getOne('articles', { id: ids[0] });
  // The form sends back all that it was given.
  const updated = await provider.update('articles', { id: ids[0], data: { ...record, pages: 7, teaser: '' } });
  await provider.updateMany('articles', { ids, data: { mood: 'calm' } });
  const png = new File(
    [
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    'a.png',
    { type: 'image/png' },
  );
  const withFile = await create('articles', { title: 'React file', cover: { rawFile: png, title: 'a.png' } });
  const { data: shown } = await provider.getOne('articles', { id: withFile.id });
  const refused = await provider.create('topics', { data: { name: '' } }).catch((error) => error);
  const deleted = await provider.delete('articles', { id: ids[0] });
  await provider.deleteMany('articles', { ids: [...ids.slice(1), withFile.id] });
  return {
    total: list.total,
    titles: list.data.map(({ title }) => title),
    reference: [ofAuthor.total, ofAuthor.data.length],
    many: many.data.length,
    record: [record.author === ann.id, record.topics, record.cover],
    updated: [updated.data.pages, updated.data.teaser],
    cover: shown.cover.mime,
    refused: [refused.status, refused.body.error.details.errors[0].path],
    deleted: deleted.data.data.id === ids[0],
    left: (await provider.getMany('articles', { ids })).data.length,
  };
}
