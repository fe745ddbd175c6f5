/** Where items of a component can occur in entries of a type, and a condition that finds entries by the values of such items. */
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

/** One step of a path into an entry: an attribute, and one of its components. */
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

/** All paths from an entry of the type to items of the component. Recursive components are followed once. */
function placesOf(types: ContentTypes, type: ContentType, uid: string): readonly (readonly Hop[])[] {
  const found: (readonly Hop[])[] = [];
  const follow = (path: readonly Hop[], attributes: Attributes): void => {
    for (const hop of hopsFrom(types, attributes)) {
      if (path.some(({ component, attribute }) => component === hop.component && attribute === hop.attribute)) continue;
      const longer = [...path, hop];
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

/** The condition that an item at the end of the path has one of the values. */
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

/** The condition that the row `e` of the type contains, at any depth, an item of the component with one of these values. */
export function entryContainsItem(
  dialect: Dialect,
  { types, type, component }: { readonly types: ContentTypes; readonly type: ContentType; readonly component: string },
  wanted: Wanted,
): Sql {
  const conditions = placesOf(types, type, component).map((path) => {
    const column = path[0]?.attribute.column ?? '';
    return holdsAny(dialect, sql`e.${dialect.id(column)}`, path, wanted);
  });
  return sql`(${join(conditions, ' OR ')})`;
}
