// Articles in SQLite: one connection, whose statements are prepared once.
import { DatabaseSync } from '@photostructure/sqlite';
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

const FROM_FILTERED = 'FROM articles AS a JOIN authors AS w ON w.id = a.author_id WHERE w.name = ? AND a.status = ?';
const LINKS = 'articles_tags_links';

const bound = (value) => (typeof value === 'boolean' ? Number(value) : value);

export async function openStore(url) {
  const database = new DatabaseSync(url.replace('sqlite:', ''), { enableForeignKeyConstraints: true });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');

  const page = database.prepare(`SELECT ${articleColumns('a')} FROM articles AS a ORDER BY a.id LIMIT ? OFFSET ?`);
  const count = database.prepare('SELECT COUNT(*) AS total FROM articles');
  const filtered = database.prepare(
    `SELECT ${articleColumns('a')} ${FROM_FILTERED} ORDER BY a.published_on DESC, a.title, a.id LIMIT ? OFFSET ?`,
  );
  const countFiltered = database.prepare(`SELECT COUNT(*) AS total ${FROM_FILTERED}`);
  const one = database.prepare(`SELECT ${articleColumns('a')} FROM articles AS a WHERE a.id = ?`);
  const named = database.prepare(`SELECT ${articleColumns('a')} FROM articles AS a WHERE a.slug = ?`);
  const authors = database.prepare('SELECT * FROM authors WHERE id IN (SELECT value FROM json_each(?))');
  const categories = database.prepare('SELECT * FROM categories WHERE id IN (SELECT value FROM json_each(?))');
  const tags = database.prepare(
    `SELECT l.owner_id, t.* FROM ${LINKS} AS l JOIN tags AS t ON t.id = l.target_id WHERE l.owner_id IN (SELECT value FROM json_each(?)) ORDER BY l.owner_id, l.position`,
  );
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const lastOfAuthor = database.prepare('SELECT MAX(author_position) AS last FROM articles WHERE author_id = ?');
  const lastOfCategory = database.prepare('SELECT MAX(category_position) AS last FROM articles WHERE category_id = ?');
  const lastTag = database.prepare(`SELECT MAX(position) AS last FROM ${LINKS} WHERE owner_id = ?`);
  const lastOfTag = database.prepare(`SELECT MAX(inverse_position) AS last FROM ${LINKS} WHERE target_id = ?`);
  const placeOfTag = database.prepare(`SELECT position FROM ${LINKS} WHERE owner_id = ? AND target_id = ?`);
  const placeBefore = database.prepare(
    `SELECT MAX(position) AS place FROM ${LINKS} WHERE owner_id = ? AND position < ? AND target_id <> ?`,
  );
  const spread = database.prepare(
    `UPDATE ${LINKS} AS l SET position = ${POSITION_STEP} * (SELECT COUNT(*) FROM ${LINKS} AS o WHERE o.owner_id = l.owner_id AND o.position <= l.position) WHERE l.owner_id = ?`,
  );
  const link = database.prepare(
    `INSERT INTO ${LINKS} (owner_id, target_id, position, inverse_position) VALUES (?, ?, ?, ?) ON CONFLICT (owner_id, target_id) DO UPDATE SET position = excluded.position`,
  );
  const touch = Object.fromEntries(
    ['authors', 'categories', 'tags'].map((table) => [
      table,
      database.prepare(`UPDATE ${table} SET _version = _version + 1 WHERE id IN (SELECT value FROM json_each(?))`),
    ]),
  );
  const isLinked = database.prepare(`SELECT 1 FROM ${LINKS} WHERE owner_id = ? AND target_id = ?`);
  const written = new Map();

  /** A prepared statement for this combination of attributes. */
  function prepared(text) {
    let statement = written.get(text);
    if (!statement) written.set(text, (statement = database.prepare(text)));
    return statement;
  }

  function transaction(work) {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      rollback.run();
      throw error;
    }
  }

  const after = (last) => (last ?? 0) + POSITION_STEP;

  /** A position right before the tag `anchor`, for the tag `tag`; renumbers the list if there is no gap. */
  function before(owner, tag, anchor) {
    for (;;) {
      const found = placeOfTag.get(owner, anchor);
      if (!found) throw new BadRequest(`tag ${anchor} is not in the list`);
      const { place } = placeBefore.get(owner, found.position, tag);
      if (place === null) return found.position - POSITION_STEP;
      const middle = Math.floor((place + found.position) / 2);
      if (middle > place) return middle;
      spread.run(owner);
    }
  }

  function connect(owner, { id, position }) {
    if (isVersioned && !isLinked.get(owner, id)) touch.tags.run(JSON.stringify([id]));
    const place = position ? before(owner, id, position.before) : after(lastTag.get(owner).last);
    link.run(owner, id, place, after(lastOfTag.get(id).last));
  }

  return {
    async list({ start, populate, filter }) {
      const parameters = filter ? [filter.author, filter.status] : [];
      const rows = (filter ? filtered : page).all(...parameters, PAGE_SIZE, start);
      const { total } = (filter ? countFiltered : count).get(...parameters);
      if (!populate) return { total, data: rows.map(toArticle) };
      const data = toPopulated(rows, {
        authors: authors.all(JSON.stringify(idsIn(rows, 'author_id'))),
        categories: categories.all(JSON.stringify(idsIn(rows, 'category_id'))),
        tags: tags.all(JSON.stringify(idsIn(rows, 'id'))),
      });
      return { total, data };
    },

    // A slug is unique: there is one article, or none.
    async named(slug) {
      const data = named.all(slug).map(toArticle);
      return { total: data.length, data };
    },

    async get(id) {
      const row = one.get(id);
      return row && toArticle(row);
    },

    async create({ tags: links, author, category, ...scalars }) {
      const { columns, values } = givenColumns(scalars);
      const now = new Date().toISOString();
      const names = [
        ...columns,
        'author_id',
        'author_position',
        'category_id',
        'category_position',
        'created_at',
        'updated_at',
      ];
      const insert = prepared(
        `INSERT INTO articles (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING ${articleColumns('articles')}`,
      );
      return transaction(() => {
        const places = [
          author,
          after(lastOfAuthor.get(author).last),
          category,
          after(lastOfCategory.get(category).last),
        ];
        const row = insert.get(...values.map(bound), ...places, now, now);
        if (isVersioned) {
          touch.authors.run(JSON.stringify([author]));
          touch.categories.run(JSON.stringify([category]));
          touch.tags.run(JSON.stringify(links.connect.map(({ id }) => id)));
        }
        for (const [index, { id }] of links.connect.entries()) {
          link.run(row.id, id, (index + 1) * POSITION_STEP, after(lastOfTag.get(id).last));
        }
        return toArticle(row);
      });
    },

    async update(id, { tags: links, ...scalars }) {
      const { columns, values } = givenColumns(scalars);
      const assignments = [...columns, 'updated_at'].map((column) => `${column} = ?`).join(', ');
      const change = prepared(
        `UPDATE articles SET ${assignments}${NEXT_VERSION} WHERE id = ? RETURNING ${articleColumns('articles')}`,
      );
      return transaction(() => {
        const row = change.get(...values.map(bound), new Date().toISOString(), id);
        if (!row) return undefined;
        for (const target of links?.connect ?? []) connect(id, target);
        return toArticle(row);
      });
    },

    async close() {
      database.close();
    },
  };
}
