/**
 * Edit forms send back what they read: a populated entry beside its id. Its attributes are no part of the link, and are
 * ignored there; a key that no answer has is a mistake.
 */
import type { ContentTypes } from '../../contract/content-type.ts';

/** What answers show of every entry beside its attributes; `attributes` and `meta` hold the rest where nobody unwrapped it. */
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

/** Whether answers may show `key` of an entry of the type `uid`. Private attributes and passwords are never shown. */
export function isShownKey({ types }: ContentTypes, uid: string, key: string): boolean {
  if (OF_EVERY_ENTRY.has(key)) return true;
  const attributes = Object.hasOwn(types, uid) ? types[uid]?.attributes : undefined;
  const attribute = attributes && Object.hasOwn(attributes, key) ? attributes[key] : undefined;
  return attribute !== undefined && !attribute.private && attribute.type !== 'password';
}
