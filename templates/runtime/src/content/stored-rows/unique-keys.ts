/** Foreign keys of one-to-one relations, which no two rows have in common. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import { publishedTypes } from '../../contract/states.ts';

const known = new WeakMap<ContentTypes, ReadonlySet<string>>();

function uniqueKeys(types: ContentTypes): ReadonlySet<string> {
  const states = [types, publishedTypes(types)];
  return new Set(
    states.flatMap((state) =>
      Object.values(state.types).flatMap(({ table, attributes }) =>
        Object.values(attributes).flatMap((attribute) => {
          if (!isLinkAttribute(attribute) || attribute.storage.kind !== 'foreignKey') return [];
          const { unique, column } = attribute.storage;
          return unique ? [`${table} ${column}`] : [];
        }),
      ),
    ),
  );
}

/** Returns whether a column of a table is one. */
export function isUniqueKey(types: ContentTypes): (table: string, column: string) => boolean {
  const keys = known.get(types) ?? uniqueKeys(types);
  known.set(types, keys);
  return (table, column) => keys.has(`${table} ${column}`);
}
