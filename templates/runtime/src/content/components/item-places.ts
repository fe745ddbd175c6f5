/** Where in the entries of a type the items of one component can be, and how entries are found by what these hold. */
import { columnTypeOf } from '../../contract/attribute-types/scalar-type.ts';
import type { Component, ContentType, ContentTypes, ScalarAttribute } from '../../contract/content-type.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { constant } from '../../query/bindings.ts';
import { engineOf } from '../../query/compile/engine-of.ts';
import {
  type Attributes,
  componentNamed,
  isItemAttribute,
  isList,
  type ItemAttribute,
} from '../../contract/item-attributes.ts';

/** One hop: an attribute, and which of its components. */
interface Hop {
  readonly attribute: ItemAttribute;
  readonly component: Component;
}

function hopsFrom(types: ContentTypes, attributes: Attributes): Hop[] {
  return Object.values(attributes)
    .filter(isItemAttribute)
    .flatMap((attribute) => {
      const uids = attribute.type === 'component' ? [attribute.component] : attribute.components;
      return uids.flatMap((uid) => {
        const component = componentNamed(types, uid);
        return component ? [{ attribute, component }] : [];
      });
    });
}

/** All ways from entries of the type to items of the component. A component inside of itself is followed once. */
function placesOf(types: ContentTypes, type: ContentType, uid: string): readonly (readonly Hop[])[] {
  const found: (readonly Hop[])[] = [];
  const follow = (way: readonly Hop[], attributes: Attributes): void => {
    for (const hop of hopsFrom(types, attributes)) {
      if (way.some(({ component, attribute }) => component === hop.component && attribute === hop.attribute)) continue;
      const longer = [...way, hop];
      if (hop.component.uid === uid) found.push(longer);
      follow(longer, hop.component.attributes);
    }
  };
  follow([], type.attributes);
  return found;
}

interface Wanted {
  readonly attribute: ScalarAttribute;
  readonly values: readonly unknown[];
}

/** Whether there is an item at the end of a way that has one of the values. */
function holdsAny(dialect: Dialect, json: Sql, [hop, ...rest]: readonly Hop[], wanted: Wanted): Sql {
  const engine = engineOf(dialect);
  const { attribute, values } = wanted;
  if (!hop) {
    const type = columnTypeOf(attribute.type);
    return engine.oneOf(type, engine.itemValue(type, json, attribute.column), values.map(constant));
  }
  const further = (item: Sql): Sql => {
    const [next] = rest;
    return holdsAny(dialect, next ? engine.itemMember(item, next.attribute.column) : item, rest, wanted);
  };
  if (!isList(hop.attribute)) return further(json);
  const alias = dialect.id(`i${rest.length}`);
  const item = sql`${alias}.value`;
  const kind = sql`${engine.itemValue('text', item, '__component')} = ${dialect.text(hop.component.uid)}`;
  const conditions = [...(hop.attribute.type === 'dynamiczone' ? [kind] : []), further(item)];
  return sql`EXISTS (SELECT 1 FROM ${engine.itemRows(json, alias)} WHERE ${join(conditions, ' AND ')})`;
}

/** The condition that the row called `e` of the type has an item of the component with one of these values, anywhere. */
export function entryHolds(
  dialect: Dialect,
  { types, type, component }: { readonly types: ContentTypes; readonly type: ContentType; readonly component: string },
  wanted: Wanted,
): Sql {
  const conditions = placesOf(types, type, component).map((way) => {
    const column = way[0]?.attribute.column ?? '';
    return holdsAny(dialect, sql`e.${dialect.id(column)}`, way, wanted);
  });
  return sql`(${join(conditions, ' OR ')})`;
}
