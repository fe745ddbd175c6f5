/** An entry as the JSON of the answer. */
import { sql, type Sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { type Compiler, published, where } from './compiler.ts';
import { localizationRows } from './related-rows.ts';
import { jsonOf, type TableRows } from './rows.ts';

/** What an entry says of its other locales, as JSON. */
export function availableLocales(compiler: Compiler, entry: EntrySelection, rows: TableRows): Sql {
  const { dialect } = compiler;
  if (!entry.type.localized) {
    return dialect.jsonEmptyArray;
  }
  const { from, on, target } = localizationRows(compiler, rows);
  const { alias } = target;
  const locale = dialect.jsonObject([
    ['id', dialect.jsonScalar('integer', sql`${alias}.id`)],
    ['locale', dialect.jsonScalar('text', sql`${alias}.locale`)],
    ['createdAt', dialect.jsonScalar('datetime', sql`${alias}.created_at`)],
    ['updatedAt', dialect.jsonScalar('datetime', sql`${alias}.updated_at`)],
    ...(entry.type.draftAndPublish
      ? [['publishedAt', dialect.jsonScalar('datetime', sql`${alias}.published_at`)] as const]
      : []),
  ]);
  const list = dialect.jsonArrayAggregate(locale, sql`${alias}.id`);
  return dialect.neverNull(sql`SELECT ${list} FROM ${from}${where([on, ...published(entry.live, alias)])}`);
}

/** `{id, attributes, meta}`; `lead` are attributes that come before those of the type. */
export function entryJson(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  lead: readonly (readonly [string, Sql])[] = [],
): Sql {
  const { dialect } = compiler;
  const fields = entry.fields.map((field) => [field.name, jsonOf(compiler, rows, field)] as const);
  const populated = entry.populate.map((population) => compiler.population(population, rows));
  return dialect.jsonObject([
    ['id', dialect.jsonScalar('integer', sql`${rows.alias}.id`)],
    ['attributes', dialect.jsonObject([...lead, ...fields, ...populated])],
    ['meta', dialect.jsonObject([['availableLocales', availableLocales(compiler, entry, rows)]])],
  ]);
}
