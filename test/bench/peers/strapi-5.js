// Strapi 5, with its drivers. Entries are addressed by document id.
import { TYPES } from './content.js';
import { strapi } from './strapi.js';

/** The document ids by type and number. */
async function keysOf(origin, authorization) {
  const known = {};
  for (const [uid, { plural }] of Object.entries(TYPES)) {
    known[uid] = new Map();
    for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
      const path = `/api/${plural}?fields[0]=id&sort=id&pagination[page]=${page}&pagination[pageSize]=100`;
      const { data, meta } = await (await fetch(origin + path, { headers: { authorization } })).json();
      for (const { id, documentId } of data) known[uid].set(id, documentId);
      ({ pageCount } = meta.pagination);
    }
  }
  return (uid, number) => known[uid].get(number);
}

export const strapi5 = strapi({
  title: 'Strapi 5',
  dependencies: {
    '@strapi/strapi': '5.54.0',
    'better-sqlite3': '12.11.1',
    pg: '8.20.0',
    react: '18.3.1',
    'react-dom': '18.3.1',
    'react-router-dom': '6.30.3',
    'styled-components': '6.1.19',
  },
  keysOf,
  idName: 'documentId',
});
