/** Values that the server makes for required `uid` attributes that were not sent. */
import type { ContentType, ScalarAttribute } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { slugify } from '../values/slugify.ts';
import type { EntryInput } from './context.ts';

async function isTaken(tx: Executor, type: ContentType, attribute: ScalarAttribute, value: string): Promise<boolean> {
  const { id } = tx.dialect;
  const found = await tx.get(sql`SELECT 1 AS taken FROM ${id(type.table)} WHERE ${id(attribute.column)} = ${value}`);
  return found !== undefined;
}

/** `base`, or the first of `base-1`, `base-2`, `base-4`, … and then the smallest below that is free: O(log n) look-ups. */
async function firstFree(tx: Executor, type: ContentType, attribute: ScalarAttribute, base: string): Promise<string> {
  if (!(await isTaken(tx, type, attribute, base))) return base;
  let taken = 0;
  let free = 1;
  while (await isTaken(tx, type, attribute, `${base}-${free}`)) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(tx, type, attribute, `${base}-${middle}`)) taken = middle;
    else free = middle;
  }
  return `${base}-${free}`;
}

/** `input` with a value for each required uid that has none: made of its target attribute, else of the type's name. */
export async function withUidValues(tx: Executor, type: ContentType, input: EntryInput): Promise<EntryInput> {
  const filled: Record<string, unknown> = { ...input };
  for (const [name, attribute] of Object.entries(type.attributes)) {
    if (attribute.type !== 'uid' || !attribute.required || (input[name] ?? null) !== null) continue;
    const target = attribute.targetField === undefined ? undefined : input[attribute.targetField];
    const base = slugify(typeof target === 'string' ? target : '') || type.singularName;
    filled[name] = await firstFree(tx, type, attribute, base);
  }
  return filled;
}
