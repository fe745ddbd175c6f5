import { axiosInstance } from '@kubb/plugin-client/clients/axios';
import qs from 'qs';
import { createArticle, createAuthor, createTag, findArticle, findArticles } from './client.ts';

export async function drive(baseURL: string, tagName: string) {
  Object.assign(axiosInstance.defaults, {
    baseURL,
    paramsSerializer: { serialize: (query: object) => qs.stringify(query) },
  });
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
  const refused = await findArticle(999).then(
    () => 200,
    (error: { response?: { status: number } }) => error.response?.status,
  );
  return {
    title: page.data[0]?.attributes.title,
    author: page.data[0]?.attributes.author?.data?.attributes.name,
    tags: Array.isArray(tags) ? tags.map(({ attributes }) => attributes.name) : [],
    total: page.meta.pagination.total,
    refused,
  };
}
