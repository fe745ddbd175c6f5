// The composables of @nuxtjs/strapi, of the version that `format` says.
import { ofetch } from 'ofetch';
import { runtime, useNuxtApp } from '#imports';
import { useStrapiAuth } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiAuth.js';
import { useStrapiMedia } from './node_modules/@nuxtjs/strapi/dist/runtime/composables/useStrapiMedia.js';
import { useStrapi as useV4 } from './node_modules/@nuxtjs/strapi/dist/runtime/composables-v4/useStrapi.js';
import { useStrapi as useV5 } from './node_modules/@nuxtjs/strapi/dist/runtime/composables-v5/useStrapi.js';

globalThis.$fetch = ofetch;

export async function drive(origin, format) {
  runtime.strapi = {
    url: origin,
    prefix: '/api',
    version: format,
    cookieName: 'jwt',
    cookie: {},
    auth: { populate: '*' },
  };
  const { find, findOne, create, update, delete: remove } = format === 'v5' ? useV5() : useV4();
  const key = format === 'v5' ? 'documentId' : 'id';
  const attributes = (entry) => entry.attributes ?? entry;

  const name = `nuxt-${format}`;
  const { register, login, fetchUser, logout } = useStrapiAuth();
  const account = { username: name, email: `${name}@example.org`, password: 'a long password' };
  await register(account);
  logout();
  const { jwt } = await login({ identifier: name, password: account.password });
  const { data: ann } = await create('authors', { name });
  const { data: made } = await create('articles', { title: name, author: ann[key] });
  const state = format === 'v5' ? { status: 'published' } : { publicationState: 'live' };
  const found = await find('articles', {
    filters: { title: { $eqi: name.toUpperCase() }, author: { name: { $in: [name, 'other'] } } },
    populate: { author: { fields: ['name'] } },
    sort: ['title:asc'],
    fields: [],
    pagination: { start: 0, limit: 3 },
    ...state,
  });
  await update('articles', made[key], { pages: 4 });
  const one = await findOne('articles', made[key], { populate: ['author', 'topics'] });
  const setting = await update('setting', { siteName: name });
  const deleted = await remove('articles', made[key]);
  const gone = await findOne('articles', made[key]).catch((error) => error.error.status);
  const { author } = attributes(found.data[0]);
  return {
    jwt: typeof jwt,
    me: (await fetchUser()).value.username,
    found: [found.data.length, found.meta.pagination.total, attributes(author.data ?? author).name],
    pages: attributes(one.data).pages,
    setting: attributes(setting.data).siteName,
    deleted: deleted === undefined ? 'nothing' : deleted.data[key] === made[key],
    gone,
    errors: useNuxtApp().errors.at(-1),
    media: useStrapiMedia('/uploads/a.png') === `${origin}/uploads/a.png`,
  };
}
