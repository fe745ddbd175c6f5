import { createArticle, createAuthor, createTag, findArticles } from './client.ts';
import { request, settings } from './request.ts';

export async function drive(baseUrl: string, tagName: string) {
  settings.baseUrl = baseUrl;
  const author = await createAuthor({ data: { name: 'Ann' } });
  const tag = await createTag({ data: { name: tagName } });
  await createArticle({
    data: { title: 'Waves', status: 'ready', author: author.data.id, tags: { connect: [tag.data.id] } },
  });
  const page = await findArticles({
    fields: ['title'],
    filters: {
      $or: [{ author: { name: { $eqi: 'ANN' } } }, { rating: { $gt: 4 } }],
      status: { $in: ['ready'] },
      tags: { name: tagName },
    },
    sort: ['title:desc'],
    pagination: { page: 1, pageSize: 2 },
    populate: { author: { fields: ['name'], populate: { articles: { sort: ['title'] } } }, tags: true },
  });
  const tags = page.data[0]?.attributes.tags?.data;
  const refused = await request<{ error: { status: number } }>({ url: '/api/articles/999', method: 'GET' });
  return {
    title: page.data[0]?.attributes.title,
    author: page.data[0]?.attributes.author?.data?.attributes.name,
    tags: Array.isArray(tags) ? tags.map(({ attributes }) => attributes.name) : [],
    total: page.meta.pagination.total,
    refused: refused.error.status,
  };
}
