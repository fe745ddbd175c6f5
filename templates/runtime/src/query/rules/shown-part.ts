/** The part of a type that is shown to a caller. */
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { mayRead } from './permitted-attributes.ts';

/** Whether an attribute, or any attribute inside its components, is private. */
function hides(types: ContentTypes, attribute: Attribute, seen = new Set<string>()): boolean {
  if (attribute.private) return true;
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return false;
  const uids = attribute.type === 'component' ? [attribute.component] : attribute.components;
  return uids.some((uid) => {
    if (seen.has(uid)) return false;
    seen.add(uid);
    return Object.values(types.components[uid]?.attributes ?? {}).some((inner) => hides(types, inner, seen));
  });
}

/**
 * A type without its private attributes, and those that the caller may not read. The database does not record which attribute of a
 * component has a file, so if any of them is private, files in components are left out altogether.
 */
export function shownPart(types: ContentTypes, whole: ContentType, caller: Caller): ContentType {
  const { componentLinks, ...type } = whole;
  const isRead = (name: string): boolean => mayRead(caller, whole, 'many', name);
  const attributes = Object.entries(type.attributes);
  const inComponents = attributes.filter(([, { type: kind }]) => kind === 'component' || kind === 'dynamiczone');
  const isShown = componentLinks && !inComponents.some(([name, attribute]) => !isRead(name) || hides(types, attribute));
  return {
    ...type,
    attributes: Object.fromEntries(attributes.filter(([name, attribute]) => !attribute.private && isRead(name))),
    ...(isShown && { componentLinks }),
  };
}
