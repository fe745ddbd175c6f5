/**
 * Attributes shared by all locales of an entry can be changed by callers with the permission to update it. Callers who may only
 * create can add a locale with the shared values unchanged: clients send these back with the rest.
 */
import { isDeepStrictEqual } from 'node:util';
import { isLinkAttribute, valueOf, type Values } from '../../contract/item-attributes.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { checkCompleteness } from '../completeness.ts';
import type { TypeContext } from '../context.ts';
import { sentValues } from '../entry-input.ts';
import { ruleOf } from '../../contract/policy/caller.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { amongWhich } from '../rules/action-rules.ts';
import { attributeRule, mayName } from '../rules/ruled-data.ts';
import { forbidden, hasRight } from '../../contract/policy/rights.ts';
import type { MediaAttribute, RelationAttribute } from '../../contract/content-type.ts';
import { isRelationChange, keyOf, type RelationChange, type Target } from '../../content/relations/relation-change.ts';
import { belongsToFirstRow, firstRowOf, namingFirstRows } from '../../content/localization/first-rows.ts';
import { readWholeList } from '../../content/relations/read-list.ts';
import { listTableOf } from '../../content/relations/list-table-of.ts';
import { listTable, storedList } from '../../content/relations/list-table.ts';
import {
  type NamedAttribute,
  presentAttributes,
  sharedAttributes,
} from '../../content/localization/shared-attributes.ts';

/** The ids that a statement selects as `target`. */
async function idsIn({ database }: TypeContext, select: Sql): Promise<number[]> {
  const rows = await database.all(select);
  return rows.flatMap(({ target = null }) => (target === null ? [] : [Number(target)]));
}

/** The entries that an attribute of a row relates to, in order. */
async function relatedOf(context: TypeContext, row: number, named: NamedAttribute): Promise<Target[]> {
  const { database, types, type } = context;
  const [, attribute] = named;
  if (!isLinkAttribute(attribute)) return [];
  const id = belongsToFirstRow(type, attribute) ? await firstRowOf(database, type, row) : row;
  const list = listTableOf(types, type, attribute);
  if (list) return readWholeList(storedList(database, list, id));
  const { storage } = attribute;
  const uid = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const { dialect } = database;
  if (storage.kind === 'foreignKey') {
    const column = dialect.id(storage.column);
    const ids = await idsIn(context, sql`SELECT ${column} AS target FROM ${dialect.id(type.table)} WHERE id = ${id}`);
    return ids.map((target) => ({ type: uid, id: target, path: [] }));
  }
  const target = types.types[uid];
  if (storage.kind !== 'inverseForeignKey' || !target) return [];
  const { position } = storage;
  if (position !== undefined) {
    const children = listTable({ ...storage, position }, target, type, attribute.shared === true);
    return readWholeList(storedList(database, children, id));
  }
  const column = dialect.id(storage.column);
  const ids = await idsIn(
    context,
    sql`SELECT MIN(id) AS target FROM ${dialect.id(target.table)} WHERE ${column} = ${id}`,
  );
  return ids.map((one) => ({ type: uid, id: one, path: [] }));
}

/** Whether a change leaves a relation as it is. */
async function keeps(
  { database, types }: TypeContext,
  change: RelationChange,
  related: readonly Target[],
  attribute: RelationAttribute | MediaAttribute,
): Promise<boolean> {
  if (change.kind === 'change') return change.connect.length + change.disconnect.length === 0;
  const targets = attribute.many ? change.targets : change.targets.slice(-1);
  const both = new Map<string, RelationChange>([
    ['given', { kind: 'set', targets }],
    ['stored', { kind: 'set', targets: related }],
  ]);
  // Between entries, any row names its entry.
  const named = attribute.shared ? await namingFirstRows(database, types, both) : both;
  return isDeepStrictEqual(keysOf(named.get('given')), keysOf(named.get('stored')));
}

function keysOf(change: RelationChange | undefined): string[] {
  return change?.kind === 'set' ? change.targets.map(keyOf) : [];
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
  const validators = context.validators();
  const wanted = validators.check('createDraft', data).values;
  const found = await checkCompleteness(database, context, id, { attributes: sent, lock: false, sent: {} });
  const stored: Values = found ? validators.check('createDraft', found.values).values : {};
  const changed: string[] = [];
  for (const named of sent) {
    const [name, attribute] = named;
    const value = valueOf(wanted, name);
    const isKept = isLinkAttribute(attribute)
      ? isRelationChange(value) && (await keeps(context, value, await relatedOf(context, id, named), attribute))
      : isDeepStrictEqual(withoutNulls(value ?? null), withoutNulls(valueOf(stored, name) ?? null));
    if (!isKept) changed.push(name);
  }
  return changed;
}

/** Whether the rule of updates permits changing these attributes of the row. */
async function ruleOfUpdatesPermits(
  context: TypeContext,
  id: number,
  names: readonly string[],
  call: CallContext,
): Promise<boolean> {
  const rule = attributeRule(call.caller, 'update', context.type);
  if (rule && !names.every((name) => mayName(rule, context.type, name))) return false;
  return (await amongWhich(context, [id], call, { question: 'update' })).has(id);
}

/**
 * The data of a new locale, for the entry of the row with this id, without shared attributes if the caller may not change them.
 * Throws ForbiddenError, naming the attributes, if the data would change any of those.
 */
export async function permittedData(
  context: TypeContext,
  id: number,
  { data, call }: { readonly data: unknown; readonly call: CallContext },
): Promise<unknown> {
  const { type } = context;
  const { caller } = call;
  const values = sentValues(data);
  const writable = sharedAttributes(type).filter(([, attribute]) => attribute.writable !== false);
  const sent = presentAttributes(writable, values);
  const mayUpdate = hasRight(caller, 'sharedAttributes', type.uid);
  if (sent.length === 0 || (mayUpdate && ruleOf(caller, 'update', type.uid) === undefined)) return data;
  const changed = await changedAttributes(context, id, sent, data);
  if (changed.length > 0 && mayUpdate && (await ruleOfUpdatesPermits(context, id, changed, call))) return data;
  if (changed.length > 0) {
    const message = `All locales of an entry share ${changed.join(', ')}: to change that, the caller needs the permission to update the entry`;
    throw forbidden(caller, 'sharedAttributes', type.uid, message);
  }
  const kept = new Set(sent.map(([name]) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !kept.has(name)));
}
