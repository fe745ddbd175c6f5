/**
 * Unique attributes inside components: no two items of a component may have the same value within the entries of one type, and,
 * if it is localized, of one locale; items that all locales of an entry share have no locale. No index can enforce that, so the writing transaction looks the values up while it holds an
 * advisory lock on the attribute.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { sql, type Sql } from '../../database/sql.ts';
import type { Issue } from '../../contract/errors.ts';
import { byColumn, isItemAttribute, itemsInside, valueOf, type Values } from '../../contract/item-attributes.ts';
import { takenIssue } from '../taken-issue.ts';
import { entryContainsItem } from './item-places.ts';
import { makeUids } from './make-uids.ts';
import type { SentScalar } from './merge-items.ts';
import { readItems, selectItems } from './stored-items.ts';

/** The entry whose components are checked, and the transaction that writes it. */
export interface UniqueScope {
  readonly tx: Transaction;
  readonly types: ContentTypes;
  readonly type: ContentType;
  /** Id of the entry being written; undefined for a new one. */
  readonly owner: number | undefined;
  readonly input: Values;
}

/** The component attributes being written, by column: their stored values, and the new ones. */
export interface WrittenItems {
  readonly before: ReadonlyMap<string, unknown>;
  readonly after: ReadonlyMap<string, unknown>;
}

/** All values sent for one attribute of one component: in items that all locales share, or in others. */
type Group = readonly [SentScalar, ...SentScalar[]];

/** Whether the items of an attribute of the type are shared by all locales of their entry. */
function isOfShared({ type }: UniqueScope, { path: [name = ''] }: SentScalar): boolean {
  return type.attributes[name]?.shared === true;
}

function groupsOf(scope: UniqueScope, sent: readonly SentScalar[]): Group[] {
  const groups = new Map<string, [SentScalar, ...SentScalar[]]>();
  for (const one of sent) {
    const key = `${one.component.uid}.${one.name} ${isOfShared(scope, one)}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

/** The items of the group's component in the given columns of an entry. */
function itemsIn(
  { types, type }: UniqueScope,
  [{ component }]: Group,
  columns: ReadonlyMap<string, unknown>,
  onlyShared = false,
): readonly Values[] {
  return Object.values(type.attributes)
    .filter(isItemAttribute)
    .filter(({ shared }) => !onlyShared || shared === true)
    .flatMap((attribute) => [...itemsInside(types, attribute, columns.get(attribute.column), byColumn)])
    .flatMap((known) => (known.component === component ? [known.item] : []));
}

/** The locale of the entry being written. */
function ownLocale({ tx, types, type, owner, input }: UniqueScope): Sql {
  if (owner === undefined) {
    const locale = valueOf(input, 'locale');
    return sql`${typeof locale === 'string' ? locale : (types.locales[0] ?? '')}`;
  }
  return tx.dialect.neverNull(sql`SELECT o.locale FROM ${tx.dialect.id(type.table)} AS o WHERE o.id = ${owner}`);
}

/** The condition that `e` is no other row of the entry being written: what they share is on its own row. */
function isNoSibling({ tx, type, owner }: UniqueScope): Sql {
  if (!type.localized || owner === undefined) return sql`1 = 1`;
  const document = sql`SELECT o.document_id FROM ${tx.dialect.id(type.table)} AS o WHERE o.id = ${owner}`;
  return sql`(e.id = ${owner} OR e.document_id <> ${tx.dialect.neverNull(document)})`;
}

/** Whether the row `e` is in the same locale, as a number. */
function isInLocale(scope: UniqueScope): Sql {
  return scope.type.localized ? sql`CASE WHEN e.locale = ${ownLocale(scope)} THEN 1 ELSE 0 END` : sql`1`;
}

/**
 * Which of the values are in use elsewhere: in other entries, or in attributes of this one that aren't being written. `written`
 * holds the ids of the items to ignore. One statement.
 */
async function takenElsewhere(
  scope: UniqueScope,
  group: Group,
  values: readonly unknown[],
  written: ReadonlySet<unknown>,
): Promise<ReadonlySet<unknown>> {
  const { tx, types, type } = scope;
  const { dialect } = tx;
  const [{ component, attribute }] = group;
  const attributes = Object.values(type.attributes).filter(isItemAttribute);
  const holds = entryContainsItem(dialect, { types, type, component: component.uid }, { attribute, values });
  // A value that is, or would be, in all locales may not be in any other entry, whatever its locale.
  const isShared = isOfShared(scope, group[0]);
  const anyLocale = isShared || attributes.some(({ shared }) => shared === true);
  const within = isInLocale(scope);
  const conditions = anyLocale ? sql`${holds} AND ${isNoSibling(scope)}` : sql`${holds} AND ${within} = 1`;
  const rows = await tx.all(
    sql`SELECT ${within} AS within, ${selectItems(dialect, attributes)} FROM ${dialect.id(type.table)} AS e WHERE ${conditions}`,
  );
  const items = rows.flatMap((row) =>
    itemsIn(scope, group, readItems(row, attributes), !isShared && Number(row['within']) === 0),
  );
  return new Set(items.filter(({ id }) => !written.has(id)).map((item) => valueOf(item, attribute.column)));
}

/** Whether an attribute of the type that contains the items is private. */
function isInPrivate({ type }: UniqueScope, group: Group): boolean {
  return group.some(({ path: [name = ''] }) => type.attributes[name]?.private === true);
}

async function planGroup(scope: UniqueScope, group: Group, items: WrittenItems): Promise<Issue[]> {
  const [{ attribute }] = group;
  const valueIn = (item: Values): unknown => valueOf(item, attribute.column);
  const written = new Set(itemsIn(scope, group, items.before).map(({ id }) => id));
  const findTaken = (values: readonly unknown[]) => takenElsewhere(scope, group, values, written);
  const given = group.filter(({ item }) => valueIn(item) !== undefined);
  const missing = group.filter(({ item }) => valueIn(item) === undefined);
  const sent = new Set<Values>(given.map(({ item }) => item));
  const held = new Set(
    itemsIn(scope, group, items.after)
      .filter((item) => !sent.has(item))
      .map(valueIn),
  );
  const taken = given.length === 0 ? held : await findTaken(given.map(({ item }) => valueIn(item)));
  const isPrivate = attribute.private === true || isInPrivate(scope, group);
  const issues: Issue[] = [];
  for (const { item, path } of given) {
    const value = valueIn(item);
    if (held.has(value) || taken.has(value)) issues.push(takenIssue(path, { isPrivate }));
    held.add(value);
  }
  await makeUids(missing, held, findTaken);
  return issues;
}

/**
 * Checks the unique values that a request gives to items, and generates missing ones (required `uid` attributes). Takes one or two
 * statements per attribute, and more only if generated values collide often.
 */
export async function planUniqueValues(
  scope: UniqueScope,
  sent: readonly SentScalar[],
  items: WrittenItems,
): Promise<readonly Issue[]> {
  const groups = groupsOf(scope, sent);
  const { tx, type } = scope;
  const keys = new Set(groups.map(([{ component, name }]) => `${type.table} ${component.uid}.${name}`));
  if (keys.size > 0) await tx.dialect.lockKeys(tx, [...keys]);
  const issues: Issue[] = [];
  for (const group of groups) {
    for (const issue of await planGroup(scope, group, items)) issues.push(issue);
  }
  return issues;
}
