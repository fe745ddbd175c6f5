/** Generates values for required `uid` attributes that were not sent. */
import { kindsOf, valueOf } from '../contract/item-attributes.ts';
import type { ContentType, ScalarAttribute } from '../contract/content-type.ts';
import type { Transaction } from '../database/write-plan.ts';
import { join, type Sql, sql } from '../database/sql.ts';
import { inSameTenant } from '../content/tenant.ts';
import { slugOf } from '../content/uid-base.ts';
import type { EntryInput, StoredEntry } from './context.ts';

/** The column in which a value must be unique; within one locale, if the type is localized and each locale has its own value. */
interface UidColumn {
  readonly tx: Transaction;
  readonly type: ContentType;
  readonly attribute: ScalarAttribute;
  readonly locale: unknown;
  /** The condition that a row has the same tenant; undefined if the type has none. */
  readonly tenant: Sql | undefined;
  readonly claimed: ClaimedValues | undefined;
}

/** The uids of entries that the same write inserts, but that are not in the database yet. */
export type ClaimedValues = Set<string>;

function isOfLocale({ type, attribute, locale }: Pick<UidColumn, 'type' | 'attribute' | 'locale'>): boolean {
  return type.localized && !attribute.shared && typeof locale === 'string';
}

function claimOf(column: UidColumn, value: string): string {
  const { attribute, locale, tenant } = column;
  return JSON.stringify([attribute.column, isOfLocale(column) ? locale : null, tenant?.params ?? null, value]);
}

async function isTaken(column: UidColumn, value: string): Promise<boolean> {
  const { tx, type, attribute, locale, tenant, claimed } = column;
  if (claimed?.has(claimOf(column, value))) return true;
  const { id } = tx.dialect;
  const within = isOfLocale(column) && typeof locale === 'string' ? sql` AND t.locale = ${locale}` : sql``;
  const ofTenant = tenant ? sql` AND ${tenant}` : sql``;
  for (const table of [type.table, ...(type.published ? [type.published.table] : [])]) {
    const where = sql`t.${id(attribute.column)} = ${value}${within}${ofTenant}`;
    if (await tx.get(sql`SELECT 1 AS taken FROM ${id(table)} AS t WHERE ${where} LIMIT 1`)) return true;
  }
  return false;
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
 * attribute or else, unless the entry is a draft, the type's name. `row`: that of the entry, or of another locale of it.
 */
export async function withUidValues(
  tx: Transaction,
  type: ContentType,
  input: EntryInput,
  known: EntryInput,
  { claimed, row }: { readonly claimed?: ClaimedValues | undefined; readonly row?: number } = {},
): Promise<EntryInput> {
  const filled: Record<string, unknown> = { ...input };
  const tenant = inSameTenant(tx.dialect, type, { input, row });
  for (const [name, attribute] of kindsOf(type.attributes).scalars) {
    if (attribute.type !== 'uid' || !attribute.required) continue;
    const column = { tx, type, attribute, locale: known['locale'], tenant, claimed };
    const given = valueOf(known, name) ?? null;
    if (typeof given === 'string') claimed?.add(claimOf(column, given));
    if (given !== null) continue;
    const target = attribute.targetField === undefined ? undefined : valueOf(known, attribute.targetField);
    const text = typeof target === 'string' ? target : '';
    // The uid of a draft waits for its target.
    if (text === '' && attribute.targetField !== undefined && known['publishedAt'] === null) continue;
    const base = await slugOf(text);
    const value = await firstFree(column, base || type.singularName);
    claimed?.add(claimOf(column, value));
    filled[name] = value;
  }
  return filled;
}

/**
 * `input` with values for the required uids of a draft that have waited for their targets, if the update sets these. Takes a
 * statement only then.
 */
export async function withAwaitedUids(
  tx: Transaction,
  type: ContentType,
  input: EntryInput,
  { id, localization }: StoredEntry,
): Promise<EntryInput> {
  const uids = kindsOf(type.attributes).scalars.filter(([, each]) => each.type === 'uid' && each.required);
  const isAwaited = uids.some(([name, { targetField }]) => {
    return (
      targetField !== undefined && valueOf(input, name) === undefined && (valueOf(input, targetField) ?? '') !== ''
    );
  });
  if (!isAwaited) return input;
  const columns = join(
    uids.map(([, { column }]) => tx.dialect.id(column)),
    ', ',
  );
  const row = await tx.get(sql`SELECT ${columns} FROM ${tx.dialect.id(type.table)} WHERE id = ${id}`);
  const stored = Object.fromEntries(uids.map(([name, { column }]) => [name, row?.[column]]));
  const known = { ...stored, ...input, publishedAt: null, locale: localization?.locale };
  return withUidValues(tx, type, input, known, { row: id });
}
