// What is in the databases. Ids are given by the engine, in the order of the rows: from 1.
import { LIST_SIZES, TABLE_SIZES } from './schema.js';

export const COUNTS = { article: 1000, author: 20, category: 10, tag: 100 };
export const STATUSES = ['idea', 'draft', 'ready'];
const TAGS_OF_ARTICLE = 3;
const POSITION_STEP = 2 ** 16;
const CREATED = '2026-01-02T03:04:05.678Z';
const ROWS_AT_ONCE = 250;

const SENTENCE = 'Everything that a reader wants to know is said here, in “plain” words and at some length. ';
/** About 900 characters. */
export const BODY = SENTENCE.repeat(10);

const range = (count) => Array.from({ length: count }, (_, index) => index + 1);
const text = (value) => `'${value}'`;
const day = (index) => new Date(Date.UTC(2020, 0, 1 + ((index * 37) % 2000))).toISOString().slice(0, 10);

/** The tags of a seeded article, in their order. */
export function tagsOf(article) {
  return range(TAGS_OF_ARTICLE).map((place) => ((article * 7 + place * 31) % COUNTS.tag) + 1);
}

/** @returns the attributes of an article, as a request gives them */
export function articleValues(index) {
  return {
    title: `Article ${String(index).padStart(5, '0')}`,
    slug: `article-${index}`,
    summary: `What article ${index} is about, in a sentence or two.`,
    body: BODY,
    status: STATUSES[index % STATUSES.length],
    rating: (index % 50) / 10,
    publishedOn: day(index),
    featured: index % 5 === 0,
    views: (index * 13) % 1000,
  };
}

function articleRow(index, times) {
  const { title, slug, summary, body, status, rating, publishedOn, featured, views } = articleValues(index);
  const texts = [title, slug, summary, body, status].map(text);
  const author = [((index * 3) % COUNTS.author) + 1, index * POSITION_STEP];
  const category = [((index * 7) % COUNTS.category) + 1, index * POSITION_STEP];
  return [...texts, `'${rating}'`, text(publishedOn), featured, views, ...author, ...category, ...times];
}

async function insert(database, table, columns, rows) {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const values = rows.slice(start, start + ROWS_AT_ONCE).map((row) => `(${row.join(', ')})`);
    await database.run(`INSERT INTO ${table} (${columns}) VALUES ${values.join(', ')}`);
  }
}

async function analyze(engine, database, tables) {
  for (const table of tables) {
    const statement = engine.analyze(table);
    if (statement) await database.run(statement);
  }
}

/** Fills the blog. */
export async function seedBlog(engine, database) {
  const times = [engine.instant(CREATED), engine.instant(CREATED)];
  const named = (count, title) => range(count).map((index) => [text(`${title} ${index}`), ...times]);
  await insert(
    database,
    'authors',
    'name, bio, created_at, updated_at',
    range(COUNTS.author).map((index) => [text(`Author ${index}`), text(SENTENCE), ...times]),
  );
  await insert(database, 'categories', 'name, created_at, updated_at', named(COUNTS.category, 'Category'));
  await insert(database, 'tags', 'name, created_at, updated_at', named(COUNTS.tag, 'Tag'));
  await insert(
    database,
    'articles',
    'title, slug, summary, body, status, rating, published_on, featured, views, author_id, author_position, category_id, category_position, created_at, updated_at',
    range(COUNTS.article).map((index) => articleRow(index, times)),
  );
  await insert(
    database,
    'articles_tags_links',
    'owner_id, target_id, position, inverse_position',
    range(COUNTS.article).flatMap((article) =>
      tagsOf(article).map((tag, place) => [article, tag, (place + 1) * POSITION_STEP, article * POSITION_STEP]),
    ),
  );
  await analyze(engine, database, ['authors', 'categories', 'tags', 'articles', 'articles_tags_links']);
}

/** Notes that belong to no list: they are connected. */
export const SPARE_NOTES = 2_000;

/** Fills tables and lists of all sizes. The list of shelf 1 is the shortest. */
export async function seedSizes(engine, database) {
  const times = `${engine.instant(CREATED)}, ${engine.instant(CREATED)}`;
  for (const size of TABLE_SIZES) {
    await database.run(
      `INSERT INTO tables_of_${size} (title, amount, text, created_at, updated_at) SELECT 'Row ' || i, i, '${SENTENCE}', ${times} FROM ${engine.numbers(size)}`,
    );
  }
  const notes = Math.max(...LIST_SIZES) + SPARE_NOTES;
  await database.run(
    `INSERT INTO notes (title, created_at, updated_at) SELECT 'Note ' || i, ${times} FROM ${engine.numbers(notes)}`,
  );
  for (const [index, size] of LIST_SIZES.entries()) {
    await database.run(`INSERT INTO shelves (name, created_at, updated_at) VALUES ('${size} notes', ${times})`);
    await database.run(
      `INSERT INTO shelves_notes_links (owner_id, target_id, position, inverse_position) SELECT ${index + 1}, i, i * ${POSITION_STEP}, ${(index + 1) * POSITION_STEP} FROM ${engine.numbers(size)}`,
    );
  }
  const tables = TABLE_SIZES.map((size) => `tables_of_${size}`);
  await analyze(engine, database, [...tables, 'notes', 'shelves', 'shelves_notes_links']);
}
