// Articles in PostgreSQL: a pool, and statements that each connection prepares once.
import pg from 'pg';
import { BadRequest, givenColumns } from './columns.js';
import {
  articleColumns,
  idsIn,
  isVersioned,
  NEXT_VERSION,
  PAGE_SIZE,
  POSITION_STEP,
  toArticle,
  toPopulated,
} from './entry.js';
import { inTransaction } from './in-transaction.js';

const { INT8, NUMERIC, DATE } = pg.types.builtins;
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(NUMERIC, Number);
pg.types.setTypeParser(DATE, String);

const LINKS = 'articles_tags_links';
const FROM_FILTERED = 'FROM articles AS a JOIN authors AS w ON w.id = a.author_id WHERE w.name = $1 AND a.status = $2';

const PAGE = {
  name: 'page',
  text: `SELECT ${articleColumns('a')} FROM articles AS a ORDER BY a.id LIMIT $1 OFFSET $2`,
};
const COUNT = { name: 'count', text: 'SELECT COUNT(*) AS total FROM articles' };
const FILTERED = {
  name: 'filtered',
  text: `SELECT ${articleColumns('a')} ${FROM_FILTERED} ORDER BY a.published_on DESC, a.title, a.id LIMIT $3 OFFSET $4`,
};
const COUNT_FILTERED = { name: 'count-filtered', text: `SELECT COUNT(*) AS total ${FROM_FILTERED}` };
const ONE = { name: 'one', text: `SELECT ${articleColumns('a')} FROM articles AS a WHERE a.id = $1` };
const NAMED = { name: 'named', text: `SELECT ${articleColumns('a')} FROM articles AS a WHERE a.slug = $1` };
const AUTHORS = { name: 'authors', text: 'SELECT * FROM authors WHERE id = ANY ($1)' };
const CATEGORIES = { name: 'categories', text: 'SELECT * FROM categories WHERE id = ANY ($1)' };
const TAGS = {
  name: 'tags',
  text: `SELECT l.owner_id, t.* FROM ${LINKS} AS l JOIN tags AS t ON t.id = l.target_id WHERE l.owner_id = ANY ($1) ORDER BY l.owner_id, l.position`,
};
const LAST_OF_TAG = `(SELECT MAX(o.inverse_position) FROM ${LINKS} AS o WHERE o.target_id = t.id)`;
const LINK_ALL = {
  name: 'link-all',
  text: `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT $1, t.id, t.place * ${POSITION_STEP}, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM unnest($2::bigint[]) WITH ORDINALITY AS t (id, place)`,
};
const ON_CONFLICT = 'ON CONFLICT (owner_id, target_id) DO UPDATE SET position = excluded.position';
const LINK_LAST = {
  name: 'link-last',
  text: `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT $1, t.id, COALESCE((SELECT MAX(o.position) FROM ${LINKS} AS o WHERE o.owner_id = $1), 0) + ${POSITION_STEP}, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM (SELECT $2::bigint AS id) AS t ${ON_CONFLICT}`,
};
const LINK_AT = {
  name: 'link-at',
  text: `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT $1, t.id, $3, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM (SELECT $2::bigint AS id) AS t ${ON_CONFLICT}`,
};
const PLACES = {
  name: 'places',
  text: `SELECT a.position AS anchor, (SELECT MAX(b.position) FROM ${LINKS} AS b WHERE b.owner_id = a.owner_id AND b.position < a.position AND b.target_id <> $3) AS place FROM ${LINKS} AS a WHERE a.owner_id = $1 AND a.target_id = $2`,
};
const SPREAD = {
  name: 'spread',
  text: `UPDATE ${LINKS} AS l SET position = n.place * ${POSITION_STEP} FROM (SELECT target_id, row_number() OVER (ORDER BY position, target_id) AS place FROM ${LINKS} WHERE owner_id = $1) AS n WHERE l.owner_id = $1 AND l.target_id = n.target_id`,
};

/** The next versions of what an entry is linked with; ordered, so that two transactions don't wait for each other. */
const touching = (table) => ({
  name: `touch-${table}`,
  text: `UPDATE ${table} SET _version = _version + 1 WHERE id IN (SELECT id FROM ${table} WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE)`,
});
const TOUCH_AUTHORS = touching('authors');
const TOUCH_CATEGORIES = touching('categories');
const TOUCH_TAGS = touching('tags');
const TOUCH_NEW_TAG = {
  name: 'touch-new-tag',
  text: `UPDATE tags AS t SET _version = _version + 1 WHERE id = $2 AND NOT EXISTS (SELECT 1 FROM ${LINKS} AS l WHERE l.owner_id = $1 AND l.target_id = t.id)`,
};

const placeholders = (count, from = 1) => Array.from({ length: count }, (_, index) => `$${from + index}`).join(', ');

export async function openStore(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const names = new Map();
  /** A prepared statement for this combination of attributes. */
  function named(text) {
    if (!names.has(text)) names.set(text, `write-${names.size}`);
    return { name: names.get(text), text };
  }
  const rowsOf = async (client, statement, values) => (await client.query({ ...statement, values })).rows;

  const transaction = (work) => inTransaction(() => pool.connect(), work);

  /** A position right before the tag `anchor`, for the tag `tag`; renumbers the list if there is no gap. */
  async function before(client, owner, tag, anchor) {
    for (;;) {
      const [found] = await rowsOf(client, PLACES, [owner, anchor, tag]);
      if (!found) throw new BadRequest(`tag ${anchor} is not in the list`);
      if (found.place === null) return found.anchor - POSITION_STEP;
      const middle = Math.floor((found.place + found.anchor) / 2);
      if (middle > found.place) return middle;
      await rowsOf(client, SPREAD, [owner]);
    }
  }

  async function connect(client, owner, { id, position }) {
    if (isVersioned) await rowsOf(client, TOUCH_NEW_TAG, [owner, id]);
    if (!position) return rowsOf(client, LINK_LAST, [owner, id]);
    return rowsOf(client, LINK_AT, [owner, id, await before(client, owner, id, position.before)]);
  }

  return {
    async list({ start, populate, filter }) {
      const parameters = filter ? [filter.author, filter.status] : [];
      const [rows, [{ total }]] = await Promise.all([
        rowsOf(pool, filter ? FILTERED : PAGE, [...parameters, PAGE_SIZE, start]),
        rowsOf(pool, filter ? COUNT_FILTERED : COUNT, parameters),
      ]);
      if (!populate) return { total, data: rows.map(toArticle) };
      const [authors, categories, tags] = await Promise.all([
        rowsOf(pool, AUTHORS, [idsIn(rows, 'author_id')]),
        rowsOf(pool, CATEGORIES, [idsIn(rows, 'category_id')]),
        rowsOf(pool, TAGS, [idsIn(rows, 'id')]),
      ]);
      return { total, data: toPopulated(rows, { authors, categories, tags }) };
    },

    // A slug is unique: there is one article, or none.
    async named(slug) {
      const data = (await rowsOf(pool, NAMED, [slug])).map(toArticle);
      return { total: data.length, data };
    },

    async get(id) {
      const [row] = await rowsOf(pool, ONE, [id]);
      return row && toArticle(row);
    },

    async create({ tags: links, author, category, ...scalars }) {
      const { columns, values } = givenColumns(scalars);
      const now = new Date();
      const names = [
        ...columns,
        'author_id',
        'category_id',
        'created_at',
        'updated_at',
        'author_position',
        'category_position',
      ];
      const given = values.length;
      const last = (column) =>
        `COALESCE((SELECT MAX(${column}_position) FROM articles WHERE ${column}_id = $${given + (column === 'author' ? 1 : 2)}), 0) + ${POSITION_STEP}`;
      const insert = named(
        `INSERT INTO articles (${names.join(', ')}) VALUES (${placeholders(given + 4)}, ${last('author')}, ${last('category')}) RETURNING ${articleColumns('articles')}`,
      );
      return transaction(async (client) => {
        const [row] = await rowsOf(client, insert, [...values, author, category, now, now]);
        const tags = links.connect.map(({ id }) => id);
        if (isVersioned) {
          await rowsOf(client, TOUCH_AUTHORS, [[author]]);
          await rowsOf(client, TOUCH_CATEGORIES, [[category]]);
          await rowsOf(client, TOUCH_TAGS, [tags]);
        }
        await rowsOf(client, LINK_ALL, [row.id, tags]);
        return toArticle(row);
      });
    },

    async update(id, { tags: links, ...scalars }) {
      const { columns, values } = givenColumns(scalars);
      const assignments = [...columns, 'updated_at'].map((column, index) => `${column} = $${index + 1}`).join(', ');
      const change = named(
        `UPDATE articles SET ${assignments}${NEXT_VERSION} WHERE id = $${columns.length + 2} RETURNING ${articleColumns('articles')}`,
      );
      const parameters = [...values, new Date(), id];
      if (!links) {
        const [row] = await rowsOf(pool, change, parameters);
        return row && toArticle(row);
      }
      return transaction(async (client) => {
        const [row] = await rowsOf(client, change, parameters);
        if (!row) return undefined;
        for (const target of links.connect) await connect(client, id, target);
        return toArticle(row);
      });
    },

    close: () => pool.end(),
  };
}
