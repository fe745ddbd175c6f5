/** Finds an entry by its id or, if there is none, by the value of its type's `key`. */
import { castScalar } from '../contract/attribute-types/scalar-type.ts';
import { type Sql, sql } from '../database/sql.ts';
import type { EntryAnswer } from '../query/answer.ts';
import { isEntryId, type NamedKey } from '../query/entry-id.ts';
import type { EntryRequest } from '../query/entry-request.ts';
import { queryOf } from '../query/query-of.ts';
import { mayRead } from '../query/rules/permitted-attributes.ts';
import { queryLocale } from '../query/requested-locale.ts';
import type { HookedType } from './context.ts';

/** The rows with the value: one, or for localized types one in each locale. */
async function rowNamed(context: HookedType, { attribute, value }: NamedKey, request: EntryRequest): Promise<number> {
  const { database, reader, types, type } = context;
  const scalar = type.attributes[attribute];
  if (scalar?.type !== 'uid' && scalar?.type !== 'string') throw new Error(`${attribute} is no key of ${type.uid}`);
  const cast = castScalar(scalar.type, value);
  if (!cast.ok) return 0;
  const { dialect } = database;
  const conditions: Sql[] = [sql`${dialect.id(scalar.column)} = ${dialect.bind('text', cast.value)}`];
  if (type.localized) {
    const checked = await reader.check(type, request);
    conditions.push(sql`locale = ${queryLocale(types, type, checked)}`);
  }
  const [first, second] = conditions;
  const where = second ? sql`${first ?? second} AND ${second}` : (first ?? sql`1 = 0`);
  const row = await database.get(sql`SELECT id FROM ${dialect.id(type.table)} WHERE ${where}`);
  return Number(row?.['id'] ?? 0);
}

/** Each tenant may have a row with the value: that which the caller finds. */
async function rowOfTenant(
  { reader, type }: HookedType,
  { attribute, value }: NamedKey,
  request: EntryRequest,
): Promise<number> {
  const { locale, publicationState, status } = request.query.tree();
  const filters = { [attribute]: { $eq: value } };
  const pagination = { limit: 1, withCount: false };
  const query = queryOf({ filters, fields: [attribute], pagination, locale, publicationState, status });
  const [entry] = (await reader.list(type, { ...request, query, isKnown: undefined })).entries();
  return (entry as { readonly id: number } | undefined)?.id ?? 0;
}

export async function findNamed(
  context: HookedType,
  key: NamedKey,
  request: EntryRequest,
): Promise<EntryAnswer | undefined> {
  const { reader, type } = context;
  const { id } = key;
  const isId = typeof id === 'number' ? isEntryId(id) : id.documentId !== '';
  const byId = isId ? await reader.one(type, request, id) : undefined;
  // Whether an entry has a value is not told of an attribute that the caller may not read.
  if (byId || !mayRead(request.caller, type, 'one', key.attribute)) return byId;
  const row = await (type.tenant === undefined ? rowNamed : rowOfTenant)(context, key, request);
  return reader.one(type, request, row);
}
