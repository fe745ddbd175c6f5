/**
 * Edit forms send back what they read: a populated entry with its id. Its attributes are not part of the link and are ignored,
 * whereas keys that no response contains count as unknown.
 */
import type { ContentTypes } from '../../contract/content-type.ts';

/** Keys of every entry in responses, beside its attributes; `attributes` and `meta` if the client hasn't unwrapped the entry. */
const OF_EVERY_ENTRY: ReadonlySet<string> = new Set([
  'attributes',
  'createdAt',
  'createdBy',
  'documentId',
  'locale',
  'localizations',
  'meta',
  'publishedAt',
  'updatedAt',
  'updatedBy',
]);

/** Whether responses may contain `key` in an entry of the type `uid`. Private attributes and passwords never appear. */
export function isShownKey({ types }: ContentTypes, uid: string, key: string): boolean {
  if (OF_EVERY_ENTRY.has(key)) return true;
  const attributes = Object.hasOwn(types, uid) ? types[uid]?.attributes : undefined;
  const attribute = attributes && Object.hasOwn(attributes, key) ? attributes[key] : undefined;
  return attribute !== undefined && !attribute.private && attribute.type !== 'password';
}
