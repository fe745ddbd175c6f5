import createClient from 'openapi-fetch';
import qs from 'qs';
import type { paths } from './schema.ts';

export async function drive(baseUrl: string, tagName: string) {
  const client = createClient<paths>({ baseUrl, querySerializer: (query) => qs.stringify(query) });
  const author = await client.POST('/api/authors', { body: { data: { name: 'Ann' } } });
  const tag = await client.POST('/api/tags', { body: { data: { name: tagName } } });
  const relations = { author: author.data?.data.id ?? 0, tags: { connect: [tag.data?.data.id ?? 0] } };
  await client.POST('/api/articles', { body: { data: { title: 'Waves', status: 'ready', ...relations } } });
  const { data: page, error } = await client.GET('/api/articles', {
    params: {
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
    },
  });
  if (error) throw new Error(error.error.message);
  const tags = page.data[0]?.attributes.tags?.data;
  return {
    title: page.data[0]?.attributes.title,
    author: page.data[0]?.attributes.author?.data?.attributes.name,
    tags: Array.isArray(tags) ? tags.map(({ attributes }) => attributes.name) : [],
    total: page.meta.pagination.total,
    refused: (await client.GET('/api/articles/{id}', { params: { path: { id: 999 } } })).error?.error.status,
  };
}
