/** What is gone from the content with entries and component items that are deleted. */
import type { Content } from './evolving-data.ts';

/** Removes elements of all lists in the content, at any depth. */
function removeElements(value: any, isGone: (element: any) => boolean): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) value.splice(0, value.length, ...value.filter((element) => !isGone(element)));
  for (const inner of Object.values(value)) removeElements(inner, isGone);
}

/** Removes links to entries. */
export function removeLinks(content: Content, isGone: (type: string, id: number) => boolean): void {
  removeElements(content, (element) => {
    const isLink = Array.isArray(element) && element.length === 2 && typeof element[1] === 'number';
    return isLink && isGone(String(element[0]), element[1]);
  });
}

/** Removes entries of a type, and all links to them. */
export function removeEntries(content: Content, type: string, isGone: (id: string) => boolean): void {
  const gone = new Set(Object.keys(content[type] ?? {}).filter(isGone));
  for (const id of gone) delete content[type]?.[id];
  removeLinks(content, (target, id) => target === type && gone.has(String(id)));
}

/** Removes the items of a component from dynamic zones. */
export function removeItems(content: Content, component: string): void {
  removeElements(content, (element) => element?.__component === component);
}
