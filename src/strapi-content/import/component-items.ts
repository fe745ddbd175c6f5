/** Finds the component items in the entities of an archive. */
import { type Attributes, isItemAttribute, type ItemAttribute } from '#contract/item-attributes.ts';
import { isMembers, type Members, type StrapiSchema } from '../../strapi/records.ts';
import { attributeOf, isSameKind, type SourceComponent, type SourceTypes } from './source-types.ts';

/**
 * The id of a component item on this server: ids in the archive are only unique per component. It is computed, so that links need no
 * lookup table.
 */
export function itemId({ components }: SourceTypes, { index }: SourceComponent, id: number): number {
  return id * components.size + index + 1;
}

/** The component of an item, and its id in the archive; undefined if the project does not have the component here. */
export function knownItem(
  source: SourceTypes,
  attribute: ItemAttribute,
  value: unknown,
): { readonly component: SourceComponent; readonly id: number; readonly item: Members } | undefined {
  if (!isMembers(value)) return undefined;
  const component =
    attribute.type === 'component'
      ? source.ownComponents.get(attribute.component)
      : source.components.get(String(value['__component']));
  const id = value['id'];
  const isAllowed = attribute.type === 'component' || attribute.components.includes(component?.component.uid ?? '');
  if (!component || !isAllowed || !Number.isSafeInteger(id) || Number(id) < 0) return undefined;
  return { component, id: Number(id), item: value };
}

/** An owner of components: a content type or a component. */
export interface ItemOwner {
  readonly attributes: Attributes;
  readonly uid: string;
}

/** All component items of an entity, at any depth. */
export function* itemsIn(
  source: SourceTypes,
  owner: ItemOwner,
  schema: StrapiSchema,
  data: Members,
): Generator<{ readonly component: SourceComponent; readonly id: number }> {
  for (const [name, attribute] of Object.entries(owner.attributes)) {
    if (!isItemAttribute(attribute) || !attributeOf(owner, name) || !isSameKind(attribute, schema, name)) continue;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const found = knownItem(source, attribute, one);
      if (!found) continue;
      yield found;
      yield* itemsIn(source, found.component.component, found.component.schema, found.item);
    }
  }
}
