/** Exports and archives of Strapi with entries that the database takes only with what they refer to, on each engine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../templates/runtime/src/database/sql.ts';
import { testedEngines } from '../templates/runtime/test-support/runtime-database.ts';
import type { TestProject } from '../templates/runtime/test-support/test-project.ts';
import { openPlace, type Place } from './support/moving.ts';
import { openSchema } from './support/served-project.ts';
import { archiveOf, contentType } from './support/strapi-archive.ts';

/** Authors refer to books as well, and come first in whatever order types are taken. */
const SCHEMA = `
name: links
databases: [sqlite, postgres, mysql]
contentTypes:
  author:
    attributes:
      name: { type: string }
      best: { type: relation, relation: oneWay, target: book }
      books: { type: relation, relation: oneToMany, target: book, mappedBy: author }
  book:
    attributes:
      title: { type: string }
      author: { type: relation, relation: manyToOne, target: author, inversedBy: books, required: true }
  chapter:
    attributes:
      title: { type: string }
      book: { type: relation, relation: oneWay, target: book, required: true }
`;

const [AUTHOR, BOOK, CHAPTER] = ['author', 'book', 'chapter'].map((name) => `api::${name}.${name}`) as [
  string,
  string,
  string,
];
const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
});
const SCHEMAS = [
  contentType(CHAPTER, { title: { type: 'string' }, book: relation('oneToOne', BOOK) }),
  contentType(BOOK, { title: { type: 'string' }, author: relation('manyToOne', AUTHOR, { inversedBy: 'books' }) }),
  contentType(AUTHOR, {
    name: { type: 'string' },
    best: relation('oneToOne', BOOK),
    books: relation('oneToMany', BOOK, { mappedBy: 'author' }),
  }),
];
const link = (
  kind: string,
  type: string,
  field: string,
  ref: number,
  target: string,
  id: number,
  more: object = {},
) => ({
  kind: 'relation.basic',
  relation: kind,
  left: { type, field, ref },
  right: { type: target, ref: id, ...more },
});
const ENTITIES = [
  { type: CHAPTER, id: 1, data: { title: 'one' } },
  { type: BOOK, id: 1, data: { title: 'a' } },
  { type: BOOK, id: 2, data: { title: 'b' } },
  { type: AUTHOR, id: 9, data: { name: 'ann' } },
];
const LINKS = [
  link('oneToOne', CHAPTER, 'book', 1, BOOK, 2),
  link('manyToOne', BOOK, 'author', 1, AUTHOR, 9, { field: 'books', pos: 2 }),
  link('manyToOne', BOOK, 'author', 2, AUTHOR, 9, { field: 'books', pos: 1 }),
  link('oneToOne', AUTHOR, 'best', 9, BOOK, 1),
];

let project: TestProject & { readonly folder: string };
beforeAll(async () => {
  project = await openSchema(SCHEMA);
}, 120_000);
afterAll(() => project.remove());

describe.each(await testedEngines())('required links on %s', (engine) => {
  let made = 0;
  async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
    const place = await openPlace(project, engine, `links${(made += 1)}`);
    try {
      await work(place);
    } finally {
      await place.drop();
    }
  }
  async function archived(name: string, links: readonly unknown[]): Promise<string> {
    const file = join(project.folder, `${name}-${engine}.tar.gz`);
    writeFileSync(file, await archiveOf({ schemas: SCHEMAS, entities: ENTITIES, links }));
    return file;
  }
  async function rowsOf(place: Place) {
    const database = await place.open();
    try {
      const read = async (query: string) =>
        (await database.all(raw(query))).map((row) => Object.values(row).map(Number));
      return {
        books: await read('SELECT id, author_id, author_position FROM books ORDER BY id'),
        authors: await read('SELECT id, best_id FROM authors'),
        chapters: await read('SELECT id, book_id FROM chapters'),
      };
    } finally {
      await database.close();
    }
  }

  it('come with an archive of Strapi, and with an export of this server', async () => {
    await withPlace(async (place) => {
      const result = await place.contentGen('import-strapi', await archived('whole', LINKS));
      expect(result.error).toBe('');
      const rows = await rowsOf(place);
      expect(rows.authors).toEqual([[9, 1]]);
      expect(rows.chapters).toEqual([[1, 2]]);
      expect(rows.books.map(([id, author]) => [id, author])).toEqual([[1, 9], [2, 9]]); // prettier-ignore
      expect(Number(rows.books[0]?.[2])).toBeGreaterThan(Number(rows.books[1]?.[2]));
      const file = join(project.folder, `export-${engine}.tar.gz`);
      expect((await place.data('export', file)).error).toBe('');
      await withPlace(async (other) => {
        expect((await other.data('import', file)).error).toBe('');
        expect(await rowsOf(other)).toEqual(rows);
      });
    });
  });

  it('are asked for by name where the archive lacks one, and nothing is imported', async () => {
    await withPlace(async (place) => {
      const result = await place.contentGen('import-strapi', await archived('lacking', LINKS.slice(0, 2)));
      expect(result.code).not.toBe(0);
      expect(result.error).toContain('book 2 of the archive has no author, which is required');
      expect((await rowsOf(place)).authors).toEqual([]);
    });
  });
});
