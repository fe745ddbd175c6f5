/** Compiles entries to the JSON of the answer. */
import { type Sql, sql } from '../../database/sql.ts';
import type { EntrySelection } from '../read-query.ts';
import { visibilityConditions } from './compile-filter.ts';
import { type Compiler, where } from './compiler.ts';
import type { JsonTree } from './json-tree.ts';
import { localizationRows } from './related-rows.ts';
import { jsonOf } from './row-values.ts';
import { idOf, type TableRows } from './rows.ts';

/** The list of an entry's other locales, as JSON; undefined if its type is not localized. */
export function availableLocales(compiler: Compiler, entry: EntrySelection, rows: TableRows): Sql | undefined {
  const { dialect } = compiler;
  if (!entry.type.localized) return undefined;
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
  return dialect.neverNull(
    sql`SELECT ${list} FROM ${from}${where([on, ...visibilityConditions(compiler, entry, target)])}`,
  );
}

/** SQL that builds the JSON of a tree. */
export function treeJson({ dialect }: Compiler, tree: JsonTree<Sql>): Sql {
  const build = (part: JsonTree<Sql>): Sql => {
    if (part.kind === 'value') return part.value;
    if (part.kind === 'emptyArray') return dialect.jsonEmptyArray;
    return dialect.jsonObject(part.members.map(([name, member]) => [name, build(member)]));
  };
  return build(tree);
}

/** SQL that builds the JSON of an entry; `lead` are attributes that precede those of the type. */
export function entryJson(
  compiler: Compiler,
  entry: EntrySelection,
  rows: TableRows,
  lead: readonly (readonly [string, Sql])[] = [],
): Sql {
  const { dialect } = compiler;
  const fields = entry.fields.map((field) => [field.name, jsonOf(compiler, rows, field)] as const);
  const populated = entry.populate.map((population) => compiler.population(population, rows));
  const tree = entry.shape.entry({
    id: dialect.jsonScalar('integer', idOf(rows)),
    documentId: entry.type.documentIds ? dialect.jsonScalar('text', sql`${rows.alias}.document_id`) : undefined,
    attributes: [...lead, ...fields, ...populated],
    locales: () => availableLocales(compiler, entry, rows),
  });
  return treeJson(compiler, tree);
}
