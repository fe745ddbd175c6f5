// The requests in the REST API of Strapi, which content-gen has as well.
import { ASKED, atEnd, beforeOne, SHELVES } from './content.js';

const get = (path) => ({ method: 'GET', path: `/api/${path}` });
const page = (index) => `pagination[page]=${ASKED.page(index)}&pagination[pageSize]=${ASKED.pageSize}&sort=title`;
const POPULATED = 'populate[0]=author&populate[1]=tags';

/** `key`: how the peer addresses the entry with a number. `idName`: its name in lists. */
export function strapiRequests(key, idName = 'id') {
  const connect = (shelf, index, position) => ({
    method: 'PUT',
    path: `/api/shelves/${key('shelf', shelf)}`,
    body: { data: { notes: { connect: [{ [idName]: key('note', ASKED.note(index)), position }] } } },
  });
  return {
    'get one': (index) => get(`articles/${key('article', ASKED.article(index))}`),
    'list of 25': (index) => get(`articles?${page(index)}`),
    'list of 25, populated': (index) => get(`articles?${POPULATED}&${page(index)}`),
    'filtered and sorted': (index) =>
      get(
        `articles?filters[author][name][$eq]=${encodeURIComponent(ASKED.authorName(index))}&filters[state][$eq]=${ASKED.state(index)}&sort[0]=publishedOn:desc&sort[1]=title`,
      ),
    'page of 60 relations': () =>
      get(`pages/${key('page', 1)}?populate[articles][populate][0]=author&populate[articles][populate][1]=tags`),
    shelf: () => get(`shelves/${key('shelf', 1)}?populate=notes`),
    create: (index) => {
      const { values, author, tags } = ASKED.created(index);
      const data = { ...values, author: key('author', author), tags: tags.map((tag) => key('tag', tag)) };
      return { method: 'POST', path: '/api/articles', body: { data } };
    },
    ...Object.fromEntries(
      SHELVES.flatMap(({ size, shelf, middle }) => [
        [atEnd(size), (index) => connect(shelf, index, { end: true })],
        [beforeOne(size), (index) => connect(shelf, index, { before: key('note', middle) })],
      ]),
    ),
  };
}

/** An answer without its envelopes, which are those of version 4 or 5. */
export function strapiEntries(answer) {
  if (Array.isArray(answer)) return answer.map(strapiEntries);
  if (typeof answer !== 'object' || answer === null) return answer;
  if ('data' in answer) return strapiEntries(answer.data);
  const { attributes, ...others } = answer;
  return Object.fromEntries(
    Object.entries({ ...others, ...attributes }).map(([name, value]) => [name, strapiEntries(value)]),
  );
}
