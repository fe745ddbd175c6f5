// Articles in MariaDB: a pool, and statements that each connection prepares once.
import mysql from 'mysql2/promise';
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

const LINKS = 'articles_tags_links';
const FROM_FILTERED = 'FROM articles AS a JOIN authors AS w ON w.id = a.author_id WHERE w.name = ? AND a.status = ?';

const PAGE = `SELECT ${articleColumns('a')} FROM articles AS a ORDER BY a.id LIMIT ? OFFSET ?`;
const COUNT = 'SELECT COUNT(*) AS total FROM articles';
const FILTERED = `SELECT ${articleColumns('a')} ${FROM_FILTERED} ORDER BY a.published_on DESC, a.title, a.id LIMIT ? OFFSET ?`;
const COUNT_FILTERED = `SELECT COUNT(*) AS total ${FROM_FILTERED}`;
const ONE = `SELECT ${articleColumns('a')} FROM articles AS a WHERE a.id = ?`;
const NAMED = `SELECT ${articleColumns('a')} FROM articles AS a WHERE a.slug = ?`;
const LAST_OF_TAG = `(SELECT MAX(o.inverse_position) FROM ${LINKS} AS o WHERE o.target_id = t.id)`;
const LAST_ARTICLES =
  'SELECT COALESCE((SELECT MAX(author_position) FROM articles WHERE author_id = ?), 0) AS of_author, COALESCE((SELECT MAX(category_position) FROM articles WHERE category_id = ?), 0) AS of_category';
const LINK_ALL = `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT ?, t.id, t.place * ${POSITION_STEP}, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM JSON_TABLE(?, '$[*]' COLUMNS (place FOR ORDINALITY, id BIGINT PATH '$')) AS t`;
const ON_DUPLICATE = 'ON DUPLICATE KEY UPDATE position = VALUES(position)';
const LINK_LAST = `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT ?, t.id, COALESCE((SELECT MAX(o.position) FROM ${LINKS} AS o WHERE o.owner_id = ?), 0) + ${POSITION_STEP}, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM (SELECT ? AS id) AS t ${ON_DUPLICATE}`;
const LINK_AT = `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) SELECT ?, t.id, ?, COALESCE(${LAST_OF_TAG}, 0) + ${POSITION_STEP} FROM (SELECT ? AS id) AS t ${ON_DUPLICATE}`;
const PLACES = `SELECT a.position AS anchor, (SELECT MAX(b.position) FROM ${LINKS} AS b WHERE b.owner_id = a.owner_id AND b.position < a.position AND b.target_id <> ?) AS place FROM ${LINKS} AS a WHERE a.owner_id = ? AND a.target_id = ?`;
const SPREAD = `UPDATE ${LINKS} AS l JOIN (SELECT target_id, ROW_NUMBER() OVER (ORDER BY position, target_id) AS place FROM ${LINKS} WHERE owner_id = ?) AS n ON l.target_id = n.target_id SET l.position = n.place * ${POSITION_STEP} WHERE l.owner_id = ?`;

const TOUCH_NEW_TAG = `UPDATE tags SET _version = _version + 1 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM ${LINKS} AS l WHERE l.owner_id = ? AND l.target_id = tags.id)`;

const marks = (list) => list.map(() => '?').join(', ');
const bound = (value) => (typeof value === 'boolean' ? Number(value) : value);

export async function openStore(url) {
  const pool = mysql.createPool({
    uri: url,
    connectionLimit: 10,
    timezone: 'Z',
    dateStrings: ['DATE'],
    decimalNumbers: true,
  });
  const rowsOf = async (client, text, values) => (await client.execute(text, values))[0];
  const insertId = async (client, text, values) => (await client.execute(text, values))[0].insertId;
  // The driver binds numbers as floating point, which LIMIT does not accept.
  const limits = (start) => [String(PAGE_SIZE), String(start)];
  const having = (ids, text) => (ids.length === 0 ? [] : rowsOf(pool, text(marks(ids)), ids));

  const transaction = (work) => inTransaction(() => pool.getConnection(), work);

  /** A position right before the tag `anchor`, for the tag `tag`; renumbers the list if there is no gap. */
  async function before(client, owner, tag, anchor) {
    for (;;) {
      const [found] = await rowsOf(client, PLACES, [tag, owner, anchor]);
      if (!found) throw new BadRequest(`tag ${anchor} is not in the list`);
      if (found.place === null) return found.anchor - POSITION_STEP;
      const middle = Math.floor((found.place + found.anchor) / 2);
      if (middle > found.place) return middle;
      await rowsOf(client, SPREAD, [owner, owner]);
    }
  }

  /** The next versions of what an entry is linked with. */
  const touch = (client, table, ids) =>
    rowsOf(client, `UPDATE ${table} SET _version = _version + 1 WHERE id IN (${marks(ids)})`, ids);

  async function connect(client, owner, { id, position }) {
    if (isVersioned) await rowsOf(client, TOUCH_NEW_TAG, [id, owner]);
    if (!position) return rowsOf(client, LINK_LAST, [owner, owner, id]);
    return rowsOf(client, LINK_AT, [owner, await before(client, owner, id, position.before), id]);
  }

  return {
    async list({ start, populate, filter }) {
      const parameters = filter ? [filter.author, filter.status] : [];
      const [rows, [{ total }]] = await Promise.all([
        rowsOf(pool, filter ? FILTERED : PAGE, [...parameters, ...limits(start)]),
        rowsOf(pool, filter ? COUNT_FILTERED : COUNT, parameters),
      ]);
      if (!populate) return { total, data: rows.map(toArticle) };
      const [authors, categories, tags] = await Promise.all([
        having(idsIn(rows, 'author_id'), (list) => `SELECT * FROM authors WHERE id IN (${list})`),
        having(idsIn(rows, 'category_id'), (list) => `SELECT * FROM categories WHERE id IN (${list})`),
        having(
          idsIn(rows, 'id'),
          (list) =>
            `SELECT l.owner_id, t.* FROM ${LINKS} AS l JOIN tags AS t ON t.id = l.target_id WHERE l.owner_id IN (${list}) ORDER BY l.owner_id, l.position`,
        ),
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
        'author_position',
        'category_id',
        'category_position',
        'created_at',
        'updated_at',
      ];
      const insert = `INSERT INTO articles (${names.join(', ')}) VALUES (${marks(names)})`;
      return transaction(async (client) => {
        const [last] = await rowsOf(client, LAST_ARTICLES, [author, category]);
        const places = [author, last.of_author + POSITION_STEP, category, last.of_category + POSITION_STEP];
        const id = await insertId(client, insert, [...values.map(bound), ...places, now, now]);
        const tags = links.connect.map((target) => target.id);
        if (isVersioned) {
          await touch(client, 'authors', [author]);
          await touch(client, 'categories', [category]);
          await touch(
            client,
            'tags',
            tags.toSorted((one, other) => one - other),
          );
        }
        await rowsOf(client, LINK_ALL, [id, JSON.stringify(tags)]);
        const [row] = await rowsOf(client, ONE, [id]);
        return toArticle(row);
      });
    },

    async update(id, { tags: links, ...scalars }) {
      const { columns, values } = givenColumns(scalars);
      const assignments = [...columns, 'updated_at'].map((column) => `${column} = ?`).join(', ');
      const change = `UPDATE articles SET ${assignments}${NEXT_VERSION} WHERE id = ?`;
      const write = async (client) => {
        await rowsOf(client, change, [...values.map(bound), new Date(), id]);
        for (const target of links?.connect ?? []) await connect(client, id, target);
        const [row] = await rowsOf(client, ONE, [id]);
        return row && toArticle(row);
      };
      return links ? transaction(write) : write(pool);
    },

    close: () => pool.end(),
  };
}
