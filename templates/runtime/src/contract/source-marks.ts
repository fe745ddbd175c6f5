/**
 * Marks that name where a text comes from: `article/7/title`, or `article/7/sections:12/heading` of the item 12 of a dynamic zone. Items
 * are named by their ids, since their places change while they are edited. Sites take marks as they are.
 */

/** The attribute of entries and components, beside their own: `mark` of one of those is made from it. */
export const SOURCE = '__source';

/** What entries are marked with. */
export function entrySource(uid: string, id: number | string): string {
  return `${uid}/${id}`;
}

/** The mark of an attribute, by the source of what has it. */
export function markOf(source: string, attribute: string): string {
  return `${source}/${attribute}`;
}

/** What an item of a component or dynamic zone is marked with. */
export function itemSource(source: string, attribute: string, item: number | string): string {
  return `${markOf(source, attribute)}:${item}`;
}
