/** The topological order in which types are filled: the targets of required relations come first. */
import { type Attributes, isItemAttribute, isLinkAttribute } from '../../contract/item-attributes.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { targetsOf } from './links.ts';

/** The targets of required relations among these attributes, including those inside components. */
function requiredTypes(types: ContentTypes, attributes: Attributes, seen: ReadonlySet<string> = new Set()): string[] {
  return Object.values(attributes).flatMap((attribute) => {
    if (isLinkAttribute(attribute)) {
      return attribute.type === 'relation' && attribute.required === true ? targetsOf(attribute) : [];
    }
    if (!isItemAttribute(attribute)) return [];
    const uids = attribute.type === 'component' ? [attribute.component] : attribute.components;
    return uids
      .filter((uid) => !seen.has(uid))
      .flatMap((uid) => requiredTypes(types, types.components[uid]?.attributes ?? {}, new Set([...seen, uid])));
  });
}

/** The types with these uids, each after the types that it requires. */
export function seedOrder(types: ContentTypes, uids: readonly string[]): readonly ContentType[] {
  const order = new Set<string>();
  const open = new Set<string>();
  const visit = (uid: string): void => {
    const type = types.types[uid];
    // The schema check rejects cycles of required relations. The remaining cycles pass through components or drafts, which can be
    // filled without the relation at first.
    if (!type || order.has(uid) || open.has(uid)) return;
    open.add(uid);
    for (const target of requiredTypes(types, type.attributes)) visit(target);
    open.delete(uid);
    order.add(uid);
  };
  for (const uid of uids) visit(uid);
  return [...order].flatMap((uid) => (uids.includes(uid) ? (types.types[uid] ?? []) : []));
}
