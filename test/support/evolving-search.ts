/** Full-text indexes as the engines keep them: they must find every entry by its words, and no other. */
import type { TestDatabase } from '../../templates/runtime/test-support/engines.ts';
import type { Content } from './evolving-data.ts';
import type { Models } from './evolving-model.ts';

/** MySQL indexes no shorter words. */
const WORD = /[a-z0-9]{3,}/giu;

function wordsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? [...new Set(value.toLowerCase().match(WORD))] : [];
}

function query({ dialect, id }: TestDatabase, table: string, index: string, word: string): string {
  switch (dialect) {
    case 'sqlite':
      return `SELECT rowid FROM ${id(index)} WHERE ${id(index)} MATCH '"${word}"' ORDER BY rowid`;
    case 'postgres':
      return `SELECT ${id('id')} FROM ${id(table)} WHERE ${id(index)} @@ to_tsquery('simple', '${word}') ORDER BY ${id('id')}`;
    case 'mysql':
      return `SELECT ${id('id')} FROM ${id(table)} WHERE MATCH (${id(index)}) AGAINST ('+${word}' IN BOOLEAN MODE) ORDER BY ${id('id')}`;
  }
}

/** Searches for each word of the content: `type word` → the ids of the entries that are found, and of those that have the word. */
export async function searchedWords(
  database: TestDatabase,
  { model, storage }: Models,
  content: Content,
): Promise<{ readonly found: Readonly<Record<string, string>>; readonly expected: Readonly<Record<string, string>> }> {
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const { uid, search, tableName } of model.contentTypes.filter((type) => type.search.length > 0)) {
    const index = storage.tables.find(({ name }) => name === tableName)?.indexes.find((one) => one.search);
    const ids = new Map<string, string[]>();
    for (const [id, entry] of Object.entries(content[uid] ?? {})) {
      for (const word of new Set(search.flatMap(({ name }) => wordsOf(entry[name])))) {
        ids.set(word, [...(ids.get(word) ?? []), id]);
      }
    }
    for (const [word, entries] of ids) {
      const rows = await database.rows(query(database, tableName, index?.name ?? '', word));
      found[`${uid} ${word}`] = rows.flat().map(String).join();
      expected[`${uid} ${word}`] = entries.join();
    }
  }
  return { found, expected };
}
