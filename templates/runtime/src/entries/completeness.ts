/** Checks whether a stored entry can be published, by validating its values as if a request had sent them. */
import { columnTypeOf } from '../contract/attribute-types/scalar-type.ts';
import {
  byColumn,
  componentOf,
  isItemAttribute,
  isLinkAttribute,
  isList,
  isScalarAttribute,
  type ItemAttribute,
  itemsInside,
  itemsOf,
  kindsOf,
  valueOf,
  type Values,
} from '../contract/item-attributes.ts';
import { conditionNames } from '../contract/visibility.ts';
import type { Attribute, ContentTypes, MediaAttribute, RelationAttribute } from '../contract/content-type.ts';
import type { Executor } from '../database/executor.ts';
import type { Dialect } from '../database/dialect.ts';
import { sql, type Sql } from '../database/sql.ts';
import type { ErrorPath, Issue } from '../contract/errors.ts';
import { belongsToFirstRow } from '../content/localization/first-rows.ts';
import type { NamedAttribute } from '../content/localization/shared-attributes.ts';
import type { TypeContext } from './context.ts';

/** Stored values of some attributes, as a request would send them, and the validation errors. */
export interface Completeness {
  readonly values: Values;
  readonly issues: readonly Issue[];
  /** The components in which required uids have waited for the entry to be published, as an update that makes them. */
  readonly awaiting: Values;
}

function isSet(condition: Sql): Sql {
  return sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`;
}

/** The table of a relation that is not a column of the row, and its column with the row's id. */
function relatedRows(
  types: ContentTypes,
  { storage, ...attribute }: RelationAttribute | MediaAttribute,
): [string, string] {
  if (storage.kind === 'foreignKey') throw new Error(`${storage.column} is a column of the row`);
  if (storage.kind !== 'inverseForeignKey') return [storage.table, storage.own];
  const target = 'target' in attribute ? types.types[attribute.target ?? ''] : undefined;
  if (!target) throw new Error(`There is no content type for ${storage.column}`);
  return [target.table, storage.column];
}

/** Whether the row with the alias `t` and this id is related to anything. */
function isRelated(
  { id, neverNull }: Dialect,
  { types, type }: Pick<TypeContext, 'types' | 'type'>,
  attribute: RelationAttribute | MediaAttribute,
  row: number,
): Sql {
  if (attribute.storage.kind === 'foreignKey') return sql`t.${id(attribute.storage.column)} IS NOT NULL`;
  const [table, column] = relatedRows(types, attribute);
  const rows = sql`SELECT o.id FROM ${id(type.table)} AS s JOIN ${id(type.table)} AS o ON o.document_id = s.document_id WHERE s.id = ${row}`;
  const isTheirs = belongsToFirstRow(type, attribute) ? sql`IN (${rows})` : sql`= ${row}`;
  const first = sql`SELECT 1 AS one FROM ${id(table)} AS l WHERE l.${id(column)} ${isTheirs} LIMIT 1`;
  // Not EXISTS, which may return false if an engine continues after an interruption.
  return sql`${neverNull(sql`SELECT COUNT(*) FROM (${first}) AS f`)} > 0`;
}

/** The value as JSON; for passwords and relations only whether it is present. */
function storedValue(
  dialect: Dialect,
  context: Pick<TypeContext, 'types' | 'type'>,
  [name, attribute]: NamedAttribute,
  row: number,
): [string, Sql] {
  const isThere = (condition: Sql): Sql => dialect.jsonScalar('integer', isSet(condition));
  if (isLinkAttribute(attribute)) return [name, isThere(isRelated(dialect, context, attribute, row))];
  const column = sql`t.${dialect.id(attribute.column)}`;
  if (attribute.type === 'password') return [name, isThere(sql`${column} IS NOT NULL`)];
  return [name, dialect.jsonScalar(isItemAttribute(attribute) ? 'json' : columnTypeOf(attribute.type), column)];
}

interface Reconstruction {
  readonly types: ContentTypes;
  /** Paths of values that can't be passed to the validators, but are known to be present. */
  readonly present: Set<string>;
}

/** The items of an attribute, as a request would send them. */
function requestItems(into: Reconstruction, attribute: ItemAttribute, stored: unknown, path: ErrorPath): unknown {
  const items = itemsOf(stored).flatMap((item, index) => {
    const own = isList(attribute) ? [...path, String(index)] : path;
    const component = componentOf(into.types, attribute, item);
    const inner = Object.entries(component?.attributes ?? {}).map(([name, one]) => {
      const value = isLinkAttribute(one) ? undefined : valueOf(item, one.column);
      return [name, requestValue(into, [name, one], value ?? null, [...own, name])] as const;
    });
    const kind = attribute.type === 'dynamiczone' ? { __component: component?.uid } : {};
    return component ? [{ ...Object.fromEntries(inner), ...kind }] : [];
  });
  if (!isList(attribute)) return items[0] ?? null;
  return stored === null ? undefined : items;
}

function lacksUid(attribute: Attribute, item: Values): boolean {
  const isUid = !isLinkAttribute(attribute) && attribute.type === 'uid' && attribute.required === true;
  return isUid && (valueOf(item, attribute.column) ?? null) === null;
}

/** Whether a uid of the items, or of those inside them, has no value. */
function isAwaiting(types: ContentTypes, attribute: ItemAttribute, stored: unknown): boolean {
  return [...itemsInside(types, attribute, stored, byColumn)].some(({ component, item }) =>
    Object.values(component.attributes).some((each) => lacksUid(each, item)),
  );
}

/** The items as an update that changes nothing: their ids. */
function unchangedItems(types: ContentTypes, attribute: ItemAttribute, stored: unknown): unknown {
  const items = itemsOf(stored).map((item) => {
    const component = componentOf(types, attribute, item);
    const inner = Object.entries(component?.attributes ?? {}).flatMap(([name, one]) => {
      const value = isItemAttribute(one) ? valueOf(item, one.column) : undefined;
      return isItemAttribute(one) && value ? [[name, unchangedItems(types, one, value)] as const] : [];
    });
    const kind = attribute.type === 'dynamiczone' ? { __component: component?.uid } : {};
    return { ...kind, id: Number(item['id']), ...Object.fromEntries(inner) };
  });
  return isList(attribute) ? items : items[0];
}

/** A stored value, as a request would send it. */
function requestValue(into: Reconstruction, [, attribute]: NamedAttribute, stored: unknown, path: ErrorPath): unknown {
  if (isItemAttribute(attribute)) return requestItems(into, attribute, stored, path);
  if (!isLinkAttribute(attribute) && attribute.type !== 'password') return stored;
  // The links of components are not read: each was validated when it was written.
  const isInside = path.length > 1;
  if (isInside ? isLinkAttribute(attribute) || stored !== null : stored === 1) into.present.add(path.join('.'));
  return undefined;
}

/** What to read; with `lock`, the row stays locked until the transaction ends. */
interface Reading {
  readonly attributes: readonly NamedAttribute[];
  readonly lock: boolean;
}

/** `sent`: the other values of the entry, on which conditions of these attributes may depend. */
interface Completion extends Reading {
  readonly sent: Values;
}

/** The values of attributes in the row of an entry, with one statement; undefined if it is gone. */
async function readValues(
  executor: Executor,
  { types, type }: Pick<TypeContext, 'types' | 'type'>,
  id: number,
  { attributes, lock }: Reading,
): Promise<Values | undefined> {
  const { dialect } = executor;
  const object = dialect.jsonObject(attributes.map((named) => storedValue(dialect, { types, type }, named, id)));
  const row = await executor.get(
    sql`SELECT ${dialect.jsonText(object)} AS data FROM ${dialect.id(type.table)} AS t WHERE t.id = ${id}${lock ? dialect.rowLock : sql``}`,
  );
  return row && (JSON.parse(String(row['data'])) as Values);
}

/**
 * The stored values that decide about the attributes with conditions in `data`: of these attributes, and of those on which they
 * depend. Undefined if there are none. `inherits`: for a new locale of the entry, which has only the shared ones.
 */
export async function storedConditions(
  executor: Executor,
  { types, type }: Pick<TypeContext, 'types' | 'type'>,
  id: number,
  { data, inherits = false }: { readonly data: Values; readonly inherits?: boolean },
): Promise<Values | undefined> {
  const { conditional } = kindsOf(type.attributes);
  if (conditional.length === 0) return undefined;
  const names = new Set(conditional.flatMap(([name, { visible }]) => [name, ...conditionNames(visible ?? {})]));
  if (!inherits && ![...names].some((name) => valueOf(data, name) !== undefined)) return undefined;
  const attributes = Object.entries(type.attributes).filter(
    ([name, attribute]) =>
      names.has(name) &&
      isScalarAttribute(attribute) &&
      attribute.type !== 'password' &&
      (!inherits || attribute.shared === true),
  );
  return attributes.length === 0 ? undefined : readValues(executor, { types, type }, id, { attributes, lock: false });
}

/**
 * Validates the stored values of `attributes` for what drafts are exempt from: required values, lengths and counts. Takes one
 * statement. Undefined if the entry is gone.
 */
export async function checkCompleteness(
  executor: Executor,
  { types, type, validators }: TypeContext,
  id: number,
  { attributes, lock, sent }: Completion,
): Promise<Completeness | undefined> {
  const stored = await readValues(executor, { types, type }, id, { attributes, lock });
  if (!stored) return undefined;
  const into: Reconstruction = { types, present: new Set() };
  const values = Object.fromEntries(
    attributes.map((named) => [named[0], requestValue(into, named, valueOf(stored, named[0]), [named[0]])]),
  );
  const checked = new Set(attributes.map(([name]) => name));
  const issues = validators()
    .check('create', { ...sent, ...values }, { notWritable: 'taken', keepsHidden: true })
    .issues.filter(({ path }) => checked.has(path[0] ?? '') && !into.present.has(path.join('.')));
  const awaiting = attributes.flatMap(([name, attribute]) => {
    const value = valueOf(stored, name);
    const isOpen = isItemAttribute(attribute) && isAwaiting(types, attribute, value);
    return isOpen ? [[name, unchangedItems(types, attribute, value)] as const] : [];
  });
  return { values, issues, awaiting: Object.fromEntries(awaiting) };
}
