/**
 * Full-text indexes. PostgreSQL and MySQL store the searched text in a generated column, SQLite in a separate table, which triggers
 * keep up to date. Column and table have the name of the index. Words are folded to lower case. There is no stemming, there are no
 * stop words, and accents matter, as the engines would handle these differently.
 */
import { SEARCH_EVENTS, searchTriggerName } from '#contract/stored-names.ts';
import type { Index } from '../../storage/storage-model.ts';
import { mysqlName, sqlLiteral, sqlName } from './text/sql-text.ts';

/** Punctuation that PostgreSQL's parser doesn't always treat as a word boundary: it parses `foo-bar`, `u.s.a` and `a@b.c` as special tokens. */
const PUNCTUATION = `-./:@_&+~#%=?$*^'"‘’“”„«»–—…·•`;

/** The maximum length of the indexed text: a `tsvector` is limited to one megabyte. */
const MAX_CHARACTERS = 200_000;

/** PostgreSQL's weight labels, in descending order; queries assign their values. */
const LETTERS = ['A', 'B', 'C', 'D'] as const;

function lettersOf(weights: readonly number[]): readonly string[] {
  const sizes = [...new Set(weights)].sort((a, b) => b - a);
  return weights.map((weight) => LETTERS[Math.min(sizes.indexOf(weight), LETTERS.length - 1)] ?? 'D');
}

function postgresWords(columns: readonly string[], weights: readonly number[]): string {
  const most = Math.floor(MAX_CHARACTERS / columns.length);
  const letters = lettersOf(weights);
  const blanks = sqlLiteral(' '.repeat([...PUNCTUATION].length));
  const words = columns.map((column, index) => {
    const text = `translate(left(coalesce(${sqlName(column)}, ''), ${most}), ${sqlLiteral(PUNCTUATION)}, ${blanks})`;
    return `setweight(to_tsvector('simple', ${text}), '${letters[index] ?? 'D'}')`;
  });
  return words.join('\n      || ');
}

export function postgresCreateSearch(table: string, { name, columns, search = [] }: Index): readonly string[] {
  return [
    `ALTER TABLE ${sqlName(table)}\n  ADD COLUMN ${sqlName(name)} tsvector GENERATED ALWAYS AS (\n      ${postgresWords(columns, search)}\n    ) STORED;`,
    `CREATE INDEX ${sqlName(name)}\n  ON ${sqlName(table)} USING gin (${sqlName(name)});`,
  ];
}

/** Dropping the column drops its index. */
export function postgresDropSearch(table: string, { name }: Index): readonly string[] {
  return [`ALTER TABLE ${sqlName(table)}\n  DROP COLUMN ${sqlName(name)};`];
}

/** Repeats text by its weight. Replaces apostrophes and underscores, which MySQL would treat as parts of words. */
function mysqlWords(columns: readonly string[], weights: readonly number[]): string {
  const texts = columns.flatMap((column, index) =>
    Array.from({ length: Math.min(weights[index] ?? 1, 4) }, () => mysqlName(column)),
  );
  return `LOWER(REPLACE(REPLACE(CONCAT_WS(' ', ${texts.join(', ')}), '''', ' '), '_', ' '))`;
}

/** The session setting at the time of creation decides whether the index leaves out stop words such as `this`. */
export function mysqlCreateSearch(table: string, { name, columns, search = [] }: Index): readonly string[] {
  return [
    `ALTER TABLE ${mysqlName(table)}\n  ADD COLUMN ${mysqlName(name)} longtext GENERATED ALWAYS AS (\n      ${mysqlWords(columns, search)}\n    ) STORED INVISIBLE;`,
    'SET SESSION innodb_ft_enable_stopword = 0;',
    `CREATE FULLTEXT INDEX ${mysqlName(name)}\n  ON ${mysqlName(table)} (${mysqlName(name)});`,
    'SET SESSION innodb_ft_enable_stopword = DEFAULT;',
  ];
}

export function mysqlDropSearch(table: string, { name }: Index): readonly string[] {
  return [`ALTER TABLE ${mysqlName(table)}\n  DROP COLUMN ${mysqlName(name)};`];
}

/** A contentless table, which stores only words by entry id. It doesn't depend on the names of the indexed columns. */
export function sqliteCreateSearch(table: string, { name, columns }: Index): readonly string[] {
  const own = sqlName(name);
  const list = columns.map((_, index) => `c${index + 1}`).join(', ');
  const values = (row: string): string => ['id', ...columns].map((column) => `${row}${sqlName(column)}`).join(', ');
  const remove = `INSERT INTO ${own} (${own}, rowid, ${list}) VALUES ('delete', ${values('OLD.')});`;
  const add = `INSERT INTO ${own} (rowid, ${list}) VALUES (${values('NEW.')});`;
  const bodies = { insert: [add], update: [remove, add], delete: [remove] } as const;
  return [
    `CREATE VIRTUAL TABLE ${own} USING fts5(${list}, content='', tokenize='unicode61 remove_diacritics 0');`,
    `INSERT INTO ${own} (rowid, ${list})\n  SELECT ${values('')} FROM ${sqlName(table)};`,
    // Merges the index into a single segment: prefix queries have to search every segment.
    `INSERT INTO ${own} (${own}) VALUES ('optimize');`,
    ...SEARCH_EVENTS.map((event) => {
      const on = event === 'update' ? `UPDATE OF ${columns.map(sqlName).join(', ')}` : event.toUpperCase();
      return `CREATE TRIGGER ${sqlName(searchTriggerName(name, event))}\n  AFTER ${on} ON ${sqlName(table)}\nBEGIN\n  ${bodies[event].join('\n  ')}\nEND;`;
    }),
  ];
}

export function sqliteDropSearch({ name }: Index): readonly string[] {
  const triggers = SEARCH_EVENTS.map((event) => `DROP TRIGGER ${sqlName(searchTriggerName(name, event))};`);
  return [...triggers, `DROP TABLE ${sqlName(name)};`];
}
