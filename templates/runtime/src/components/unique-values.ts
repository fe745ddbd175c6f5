/**
 * Unique attributes inside of components: no two items of a component in the entries of one type, of localized types in one
 * locale, have the same value. No index can hold that. It is looked up in the transaction that writes, which is exact where
 * one transaction writes at a time; elsewhere two requests at the same time may get the same value for two entries.
 */
import type { ContentType, ContentTypes } from '../content-type.ts';
import type { Executor } from '../database/database.ts';
import { join, sql } from '../database/sql.ts';
import type { Issue } from '../errors.ts';
import { slugify } from '../values/slugify.ts';
import { byColumn, isItemAttribute, isScalarAttribute, itemsInside, valueOf, type Values } from './item-attributes.ts';
import { entryHolds } from './item-places.ts';
import type { SentScalar } from './merge-items.ts';

/** How many numbers are tried at once beyond those that are needed. */
const SPARE_NUMBERS = 8;

export interface UniqueScope {
  readonly tx: Executor;
  readonly types: ContentTypes;
  readonly type: ContentType;
  /** Of the entry that is written; undefined for a new one. */
  readonly owner: number | undefined;
  readonly input: Values;
}

/** The components of the entry by column: what was stored of the attributes that are written, and what will be. */
export interface WrittenItems {
  readonly before: ReadonlyMap<string, unknown>;
  readonly after: ReadonlyMap<string, unknown>;
}

/** One attribute of one component. */
type Group = readonly [SentScalar, ...SentScalar[]];

function groupsOf(sent: readonly SentScalar[]): Group[] {
  const groups = new Map<string, [SentScalar, ...SentScalar[]]>();
  for (const one of sent) {
    const key = `${one.component.uid}.${one.name}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

/** The items of the group's component in values of the type's columns. */
function itemsIn(
  { types, type }: UniqueScope,
  [{ component }]: Group,
  columns: ReadonlyMap<string, unknown>,
): readonly Values[] {
  return Object.values(type.attributes)
    .filter(isItemAttribute)
    .flatMap((attribute) => [...itemsInside(types, attribute, columns.get(attribute.column), byColumn)])
    .flatMap((known) => (known.component === component ? [known.item] : []));
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

function valueIn(item: Values, [{ attribute }]: Group): unknown {
  return valueOf(item, attribute.column) ?? undefined;
}

/** Which of the values other items of the type have, those of the written attributes of the entry left out. One statement. */
async function takenElsewhere(
  scope: UniqueScope,
  group: Group,
  values: readonly unknown[],
  written: ReadonlySet<unknown>,
): Promise<ReadonlySet<string>> {
  const { tx, types, type, owner, input } = scope;
  const { dialect } = tx;
  const [{ component, attribute }] = group;
  const columns = Object.values(type.attributes).filter(isItemAttribute);
  const selected = columns.map(
    ({ column }, index) => sql`${dialect.jsonText(sql`e.${dialect.id(column)}`)} AS ${dialect.id(`value${index}`)}`,
  );
  const table = dialect.id(type.table);
  const conditions = [entryHolds(dialect, { types, type, component: component.uid }, { attribute, values })];
  if (type.localized) {
    const given = valueOf(input, 'locale');
    const locale = typeof given === 'string' ? given : (types.locales[0] ?? '');
    conditions.push(
      owner === undefined
        ? sql`e.locale = ${locale}`
        : sql`e.locale = (SELECT o.locale FROM ${table} AS o WHERE o.id = ${owner})`,
    );
  }
  const rows = await tx.all(
    sql`SELECT ${join(selected, ', ')} FROM ${table} AS e WHERE ${join(conditions, ' AND ')}`,
  );
  const others = rows.flatMap((row) => {
    const parsed = columns.map(({ column }, index): [string, unknown] => {
      const text = row[`value${index}`];
      return [column, typeof text === 'string' ? JSON.parse(text) : null];
    });
    return itemsIn(scope, group, new Map(parsed));
  });
  return new Set(others.filter(({ id }) => !written.has(id)).map((item) => textOf(valueIn(item, group))));
}

/** What the value of an attribute that was not sent is made of. */
function baseOf({ component, attribute, item }: SentScalar): string {
  const { targetField } = attribute;
  const target = targetField === undefined ? undefined : component.attributes[targetField];
  const text = target && isScalarAttribute(target) ? valueOf(item, target.column) : undefined;
  return slugify(typeof text === 'string' ? text : '') || slugify(component.uid);
}

/** Gives every item that needs one the first of `base`, `base-1`, `base-2`, … that nobody has. */
async function makeValues(
  group: readonly SentScalar[],
  held: Set<string>,
  findTaken: (values: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  let pending = group.map((sent) => ({ sent, base: baseOf(sent) }));
  let next = new Map<string, number>();
  for (let spare = SPARE_NUMBERS; pending.length > 0; spare *= 2) {
    const candidates = new Map<string, string[]>();
    const last = new Map([...next]);
    const wanted = new Map<string, number>();
    for (const { base } of pending) wanted.set(base, (wanted.get(base) ?? spare) + 1);
    for (const [base, count] of wanted) {
      const from = next.get(base) ?? 0;
      const numbers = Array.from({ length: count }, (_, index) => from + index);
      candidates.set(
        base,
        numbers.map((number) => (number === 0 ? base : `${base}-${number}`)),
      );
      last.set(base, from + count);
    }
    const taken = await findTaken([...candidates.values()].flat());
    for (const [base, values] of candidates) {
      candidates.set(base, values.filter((value) => !taken.has(textOf(value)) && !held.has(textOf(value))).reverse());
    }
    pending = pending.filter(({ sent, base }) => {
      const value = candidates.get(base)?.pop();
      if (value === undefined) return true;
      sent.item[sent.attribute.column] = value;
      held.add(textOf(value));
      return false;
    });
    next = last;
  }
}

async function planGroup(scope: UniqueScope, group: Group, items: WrittenItems): Promise<Issue[]> {
  const written = new Set(itemsIn(scope, group, items.before).map(({ id }) => id));
  const findTaken = (values: readonly unknown[]) => takenElsewhere(scope, group, values, written);
  const [given, missing] = [true, false].map((is) =>
    group.filter(({ item }) => (valueIn(item, group) !== undefined) === is),
  ) as [SentScalar[], SentScalar[]];
  const named = new Set<unknown>(given.map(({ item }) => item));
  const unnamed = itemsIn(scope, group, items.after).filter((item) => !named.has(item));
  const held = new Set(unnamed.map((item) => textOf(valueIn(item, group))));
  const taken = given.length === 0 ? held : await findTaken(given.map(({ item }) => valueIn(item, group)));
  const issues: Issue[] = [];
  for (const { item, path } of given) {
    const text = textOf(valueIn(item, group));
    if (held.has(text) || taken.has(text)) issues.push({ path, message: 'This attribute must be unique' });
    held.add(text);
  }
  await makeValues(missing, held, findTaken);
  return issues;
}

/**
 * Checks the unique values that a request gives to items, and makes those that it has to make (required `uid` attributes). The
 * statements are one for each attribute that is concerned, more only where made values collide often.
 */
export async function planUniqueValues(
  scope: UniqueScope,
  sent: readonly SentScalar[],
  items: WrittenItems,
): Promise<readonly Issue[]> {
  const issues: Issue[] = [];
  for (const group of groupsOf(sent)) issues.push(...(await planGroup(scope, group, items)));
  return issues;
}
