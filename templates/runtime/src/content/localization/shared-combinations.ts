/**
 * Unique combinations of attributes that all locales of an entry share: their values have no locale, so no entry may repeat them in
 * any locale. The index covers one locale; the writing transaction looks the others up while it holds an advisory lock.
 */
import { ValidationError } from '../../contract/errors.ts';
import { isLinkAttribute, valueOf, type Values } from '../../contract/item-attributes.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { NewId } from '../../database/new-id.ts';
import { join, sql } from '../../database/sql.ts';
import type { Step, Transaction } from '../../database/write-plan.ts';
import { combinationIssues } from '../violated-unique.ts';

/** The columns of a combination; undefined unless all its attributes are shared. */
function sharedColumns({ attributes }: ContentType, names: readonly string[]): readonly string[] | undefined {
  const columns = names.flatMap((name) => {
    const attribute = attributes[name];
    if (!attribute?.shared) return [];
    if (!isLinkAttribute(attribute)) return [attribute.column];
    return attribute.storage.kind === 'foreignKey' ? [attribute.storage.column] : [];
  });
  return columns.length === names.length ? columns : undefined;
}

/** Throws ValidationError if another entry has the same values as the row. */
async function checkCombination(
  tx: Transaction,
  type: ContentType,
  {
    names,
    columns,
    row,
  }: { readonly names: readonly string[]; readonly columns: readonly string[]; readonly row: number },
): Promise<readonly Step[]> {
  const { id } = tx.dialect;
  await tx.dialect.lockKeys(tx, [`${type.table} ${columns.join(' ')}`]);
  const table = id(type.table);
  const same = columns.map((column) => sql`o.${id(column)} = t.${id(column)}`);
  const other = sql`SELECT o.id FROM ${table} AS t JOIN ${table} AS o ON ${join(same, ' AND ')} AND o.document_id <> t.document_id WHERE t.id = ${row} LIMIT 1`;
  if (await tx.get(other)) throw new ValidationError(combinationIssues(type, names));
  return [];
}

/** The steps that check the combinations of which `input` sets an attribute, once the row is written. */
export function checkSharedCombinations(type: ContentType, row: number | NewId, input: Values): readonly Step[] {
  if (!type.localized || !type.unique) return [];
  return type.unique.flatMap((names) => {
    const columns = sharedColumns(type, names);
    if (!columns || names.every((name) => valueOf(input, name) === undefined)) return [];
    return [
      (tx: Transaction) => checkCombination(tx, type, { names, columns, row: row instanceof NewId ? row.value : row }),
    ];
  });
}
