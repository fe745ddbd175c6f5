import qs from 'qs';
import { client } from './client.gen.ts';
import { createArticle, createAuthor, createTag, findArticle, findArticles } from './sdk.gen.ts';

export async function drive(baseUrl: string, tagName: string) {
  client.setConfig({ baseUrl, querySerializer: (query) => qs.stringify(query) });
  const author = await createAuthor({ body: { data: { name: 'Ann' } }, throwOnError: true });
  const tag = await createTag({ body: { data: { name: tagName } }, throwOnError: true });
  const relations = { author: author.data.data.id, tags: { connect: [tag.data.data.id] } };
  await createArticle({ body: { data: { title: 'Waves', status: 'ready', ...relations } }, throwOnError: true });
  const { data: page } = await findArticles({
    query: {
      fields: ['title'],
      filters: {
        $or: [{ author: { name: { $eqi: 'ANN' } } }, { rating: { $gt: 4 } }],
        status: { $in: ['ready'] },
        tags: { name: tagName },
      },
      sort: ['title:desc'],
      pagination: { page: 1, pageSize: 2 },
      populate: { author: { fields: ['name'], populate: { articles: { sort: ['title'] } } }, tags: true },
    },
    throwOnError: true,
  });
  const tags = page.data[0]?.attributes.tags?.data;
  return {
    title: page.data[0]?.attributes.title,
    author: page.data[0]?.attributes.author?.data?.attributes.name,
    tags: Array.isArray(tags) ? tags.map(({ attributes }) => attributes.name) : [],
    total: page.meta.pagination.total,
    refused: (await findArticle({ path: { id: 999 } })).error?.error.status,
  };
}
