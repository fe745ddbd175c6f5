/**
 * A relation can be changed from either side. If the attribute on the other side is shared by all locales of its entries, a
 * change that names one locale of such an entry applies to all of them.
 */
import type { ContentType, ContentTypes, RelationAttribute, RelationStorage } from '../../contract/content-type.ts';
import type { Executor } from '../../database/executor.ts';
import type { Step } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import type { InverseOne } from '../relations/inverse-one.ts';
import { idRows } from '../relations/list-table.ts';
import { planToOne } from '../relations/plan-to-one.ts';
import { type Connect, type EntryRef, keyOf, type RelationChange, type Target } from '../relations/relation-change.ts';
import { shareRow } from './share-attributes.ts';
import { type NamedAttribute, sharedAttributes } from './shared-attributes.ts';

/** A shared attribute that is the other side of a relation, and its type. */
interface OtherSide {
  readonly type: ContentType;
  readonly attribute: NamedAttribute;
}

function areSides(own: RelationStorage, other: RelationStorage): boolean {
  if (own.kind === 'link' && other.kind === 'link') {
    return own.table === other.table && own.own === other.other && own.other === other.own;
  }
  return own.kind === 'inverseForeignKey' && other.kind === 'foreignKey' && own.column === other.column;
}

function findOtherSide(types: ContentTypes, { target = '', storage }: RelationAttribute): OtherSide | undefined {
  const type = Object.hasOwn(types.types, target) ? types.types[target] : undefined;
  const isOtherSide = ([, other]: NamedAttribute): boolean =>
    other.type === 'relation' && areSides(storage, other.storage);
  const attribute = type && sharedAttributes(type).find(isOtherSide);
  return attribute && { type, attribute };
}

const found = new WeakMap<RelationAttribute, { readonly side: OtherSide | undefined }>();

/** The other side of a relation, if it is shared. Cached per attribute. */
function sharedOtherSide(types: ContentTypes, attribute: RelationAttribute): OtherSide | undefined {
  const known = found.get(attribute) ?? { side: findOtherSide(types, attribute) };
  found.set(attribute, known);
  return known.side;
}

type OtherLocales = ReadonlyMap<number, readonly number[]>;

async function readOtherLocales(tx: Executor, type: ContentType, entries: readonly EntryRef[]): Promise<OtherLocales> {
  const table = tx.dialect.id(type.table);
  const ids = idRows(tx.dialect, new Set(entries.map(({ id }) => id)));
  const rows = await tx.all(
    sql`SELECT t.id, o.id AS other FROM ${ids} AS r CROSS JOIN ${table} AS t JOIN ${table} AS o ON o.document_id = t.document_id AND o.id <> t.id WHERE t.id = r.id ORDER BY t.id, o.id`,
  );
  const others = new Map<number, number[]>();
  for (const row of rows) {
    const id = Number(row['id']);
    others.set(id, [...(others.get(id) ?? []), Number(row['other'])]);
  }
  return others;
}

/** Each element followed by the other locales of its entry, as created by `follow`, except those already named. */
function withOthers<T extends Target>(
  elements: readonly T[],
  others: OtherLocales,
  follow: (target: Target, previous: Target) => T,
): T[] {
  const named = new Set(elements.map(keyOf));
  return elements.flatMap((element) => {
    const group = [element];
    for (const id of others.get(element.id) ?? []) {
      const target: Target = { type: element.type, id, path: element.path };
      if (named.has(keyOf(target))) continue;
      named.add(keyOf(target));
      group.push(follow(target, group.at(-1) ?? element));
    }
    return group;
  });
}

function placedAfter(target: Target, { type, id }: Target): Connect {
  return { ...target, position: { kind: 'after', anchor: { type, id } } };
}

function asNamed(target: Target): Target {
  return target;
}

/** Adds the other locales to a change. With `toOne`, connected entries are left as they are: there can be only one. */
function inLocales(change: RelationChange, others: OtherLocales, toOne: boolean): RelationChange {
  if (change.kind === 'set') {
    return toOne ? change : { kind: 'set', targets: withOthers(change.targets, others, asNamed) };
  }
  return {
    kind: 'change',
    connect: toOne ? change.connect : withOthers(change.connect, others, placedAfter),
    disconnect: withOthers(change.disconnect, others, asNamed),
  };
}

/** Extends the changes of an entry of `type` to all locales of the named entries, if the attribute on their side is shared. */
export async function extendToAllLocales(
  tx: Executor,
  types: ContentTypes,
  type: ContentType,
  changes: ReadonlyMap<string, RelationChange>,
): Promise<ReadonlyMap<string, RelationChange>> {
  const all = new Map(changes);
  for (const [name, change] of changes) {
    const attribute = type.attributes[name];
    const side = attribute?.type === 'relation' ? sharedOtherSide(types, attribute) : undefined;
    if (attribute?.type !== 'relation' || !side) continue;
    const named = change.kind === 'set' ? change.targets : [...change.connect, ...change.disconnect];
    if (named.length === 0) continue;
    all.set(name, inLocales(change, await readOtherLocales(tx, side.type, named), !attribute.many));
  }
  return all;
}

/** The steps that copy a new one-to-one relation to all locales of the partner. */
export function shareOtherSides(
  types: ContentTypes,
  { inverseOnes }: { readonly inverseOnes: readonly InverseOne[] },
): readonly Step[] {
  return inverseOnes.flatMap(({ table, column, localized, change }) => {
    const toOne = planToOne(change);
    if (!localized || toOne.kind === 'release' || !toOne.target) return [];
    const type = types.types[toOne.target.type];
    if (type?.table !== table) return [];
    const attributes = sharedAttributes(type).filter(([, attribute]) => {
      return (
        attribute.type === 'relation' && attribute.storage.kind === 'foreignKey' && attribute.storage.column === column
      );
    });
    return shareRow({ types, type }, toOne.target.id, attributes);
  });
}
