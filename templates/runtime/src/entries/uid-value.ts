/** Generates values for required `uid` attributes that were not sent. */
import { kindsOf, valueOf } from '../contract/item-attributes.ts';
import type { ContentType, ScalarAttribute } from '../contract/content-type.ts';
import type { Transaction } from '../database/write-plan.ts';
import { sql } from '../database/sql.ts';
import { slugOf } from '../content/uid-base.ts';
import type { EntryInput } from './context.ts';

/** The column in which a value must be unique; within one locale, if the type is localized. */
interface UidColumn {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly attribute: ScalarAttribute;
  readonly locale: unknown;
}

async function isTaken({ tx, type, attribute, locale }: UidColumn, value: string): Promise<boolean> {
  const { id } = tx.dialect;
  const within = type.localized && typeof locale === 'string' ? sql` AND locale = ${locale}` : sql``;
  const found = await tx.get(
    sql`SELECT 1 AS taken FROM ${id(type.table)} WHERE ${id(attribute.column)} = ${value}${within} LIMIT 1`,
  );
  return found !== undefined;
}

/**
 * Returns `base` if it is free. Otherwise probes `base-1`, `base-2`, `base-4`, … and then bisects to a free number: O(log n)
 * look-ups.
 */
async function firstFree(column: UidColumn, base: string): Promise<string> {
  if (!(await isTaken(column, base))) return base;
  // A lock, because concurrent requests would find the same free value.
  await column.tx.dialect.lockKeys(column.tx, [`${column.type.table}.${column.attribute.column} ${base}`]);
  let taken = 0;
  let free = 1;
  while (await isTaken(column, `${base}-${free}`)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(column, `${base}-${middle}`)) taken = middle;
    else free = middle;
  }
  return `${base}-${free}`;
}

/**
 * `input` with a generated value for each required uid that has none in `known`, the values of the whole entry: from its target
 * attribute or else the type's name.
 */
export async function withUidValues(
  tx: Transaction,
  type: ContentType,
  input: EntryInput,
  known: EntryInput,
): Promise<EntryInput> {
  const filled: Record<string, unknown> = { ...input };
  for (const [name, attribute] of kindsOf(type.attributes).scalars) {
    if (attribute.type !== 'uid' || !attribute.required || (valueOf(known, name) ?? null) !== null) continue;
    const target = attribute.targetField === undefined ? undefined : valueOf(known, attribute.targetField);
    const base = (typeof target === 'string' ? await slugOf(target) : '') || type.singularName;
    filled[name] = await firstFree({ tx, type, attribute, locale: known['locale'] }, base);
  }
  return filled;
}
