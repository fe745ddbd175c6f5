// strapi-sdk-js as its users write it, in a page, where it keeps its token. `key` is what names an entry.
import { JSDOM } from 'jsdom';
import Strapi from 'strapi-sdk-js';

export async function drive(origin, key) {
  globalThis.window = new JSDOM('', { url: 'http://localhost:3000' }).window;
  const strapi = new Strapi({ url: origin, store: { key: 'jwt', useLocalStorage: true } });
  const attributes = (entry) => entry.attributes ?? entry;
  const refusalOf = (promise) => promise.then(String, ({ data, error }) => [data, error.status, error.name]);

  const name = `sdk-${key}`;
  const account = { username: name, email: `${name}@example.org`, password: 'a long password' };
  await strapi.register(account);
  strapi.logout();
  const { jwt } = await strapi.login({ identifier: account.email, password: account.password });
  const { data: ann } = await strapi.create('authors', { name });
  const { data: sea } = await strapi.create('topics', { name });
  const { data: made } = await strapi.create('articles', { title: name, author: ann[key], topics: [sea[key]] });
  const found = await strapi.find('articles', {
    filters: { $and: [{ title: { $eq: name } }, { author: { name: { $containsi: 'SDK' } } }] },
    sort: ['title:desc', 'id'],
    populate: ['author', 'topics'],
    pagination: { page: 1, pageSize: 5 },
  });
  await strapi.update('articles', made[key], { pages: 3 }, { populate: '*' });
  const one = await strapi.findOne('articles', made[key], { fields: ['pages'] });
  const me = await strapi.fetchUser();
  const wrong = await refusalOf(strapi.create('topics', { name: 5 }));
  await strapi.delete('articles', made[key]);
  const { author, topics } = attributes(found.data[0]);
  const answers = {
    jwt: typeof jwt,
    me: me.username,
    total: found.meta.pagination.total,
    author: attributes(author.data ?? author).name,
    topics: (topics.data ?? topics).length,
    pages: attributes(one.data).pages,
    wrong,
    gone: await refusalOf(strapi.findOne('articles', made[key])),
    nowhere: await refusalOf(strapi.find('nothing')),
  };
  // What runs after it in this process is in no page.
  delete globalThis.window;
  return answers;
}
