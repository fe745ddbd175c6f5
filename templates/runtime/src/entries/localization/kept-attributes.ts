/**
 * Attributes shared by all locales of an entry can be changed by callers with the permission to update it. Callers who may only
 * create can add a locale with the shared values unchanged: clients send these back with the rest.
 */
import { isDeepStrictEqual } from 'node:util';
import { isLinkAttribute, valueOf, type Values } from '../../contract/item-attributes.ts';
import { sql } from '../../database/sql.ts';
import { checkCompleteness } from '../completeness.ts';
import type { TypeContext } from '../context.ts';
import { sentValues } from '../entry-input.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';
import {
  type EntryRef,
  isRelationChange,
  keyOf,
  type RelationChange,
} from '../../content/relations/relation-change.ts';
import { readWholeList } from '../../content/localization/copy-relation.ts';
import { listTableOf } from '../../content/relations/list-table-of.ts';
import { storedList } from '../../content/relations/list-table.ts';
import {
  type NamedAttribute,
  presentAttributes,
  sharedAttributes,
} from '../../content/localization/shared-attributes.ts';

/** The entries that an attribute of a row relates to, in order. */
async function relatedOf({ database, types, type }: TypeContext, id: number, named: NamedAttribute): Promise<string[]> {
  const [, attribute] = named;
  const list = listTableOf(types, type, attribute);
  if (list) return (await readWholeList(storedList(database, list, id))).map(keyOf);
  if (!isLinkAttribute(attribute) || attribute.storage.kind !== 'foreignKey') return [];
  const { dialect } = database;
  const column = dialect.id(attribute.storage.column);
  const row = await database.get(sql`SELECT ${column} AS target FROM ${dialect.id(type.table)} WHERE id = ${id}`);
  const target = row?.['target'] ?? null;
  const uid = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  return target === null ? [] : [keyOf({ type: uid, id: Number(target) })];
}

/** Whether a change leaves a relation as it is. */
function keeps(change: RelationChange, related: readonly string[], isMany: boolean): boolean {
  if (change.kind === 'change') return change.connect.length + change.disconnect.length === 0;
  const targets: readonly EntryRef[] = isMany ? change.targets : change.targets.slice(-1);
  return isDeepStrictEqual(targets.map(keyOf), related);
}

/** A value without nulls: stored items have null for each attribute without a value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutNulls(member)]));
}

/** The shared attributes whose value would differ from that of the row. */
async function changedAttributes(
  context: TypeContext,
  id: number,
  sent: readonly NamedAttribute[],
  data: unknown,
): Promise<string[]> {
  const { database } = context;
  const validators = await context.validators();
  const wanted = validators.check('createDraft', data).values;
  const found = await checkCompleteness(database, context, id, { attributes: sent, lock: false, sent: {} });
  const stored: Values = found ? validators.check('createDraft', found.values).values : {};
  const changed: string[] = [];
  for (const named of sent) {
    const [name, attribute] = named;
    const value = valueOf(wanted, name);
    const isKept = isLinkAttribute(attribute)
      ? isRelationChange(value) && keeps(value, await relatedOf(context, id, named), attribute.many)
      : isDeepStrictEqual(withoutNulls(value ?? null), withoutNulls(valueOf(stored, name) ?? null));
    if (!isKept) changed.push(name);
  }
  return changed;
}

/**
 * The data of a new locale, for the entry of the row with this id, without shared attributes if the caller may not change them.
 * Throws ForbiddenError, naming the attributes, if the data would change any of those.
 */
export async function permittedData(
  context: TypeContext,
  id: number,
  { data, caller }: { readonly data: unknown; readonly caller: Caller },
): Promise<unknown> {
  const { type } = context;
  const values = sentValues(data);
  const writable = sharedAttributes(type).filter(([, attribute]) => attribute.writable !== false);
  const sent = presentAttributes(writable, values);
  if (sent.length === 0 || hasRight(caller, 'sharedAttributes', type.uid)) return data;
  const changed = await changedAttributes(context, id, sent, data);
  if (changed.length > 0) {
    const message = `All locales of an entry share ${changed.join(', ')}: to change that, the caller needs the permission to update the entry`;
    throw forbidden(caller, 'sharedAttributes', type.uid, message);
  }
  const kept = new Set(sent.map(([name]) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !kept.has(name)));
}
