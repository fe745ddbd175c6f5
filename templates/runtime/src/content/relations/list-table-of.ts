/** The list in which a relation or media attribute is stored. */
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import { listTable, type ListTable, morphListTable } from './list-table.ts';

/** The list of an attribute of `owner`; undefined if the attribute isn't stored in a link table. */
export function listTableOf(types: ContentTypes, owner: ContentType, attribute: Attribute): ListTable | undefined {
  if (!isLinkAttribute(attribute)) return undefined;
  const { storage } = attribute;
  if (storage.kind === 'morph') return morphListTable(types, storage, owner);
  if (storage.kind !== 'link') return undefined;
  const uid = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const target = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
  if (!target) throw new Error(`There is no content type ${uid}`);
  return listTable(storage, target, owner, attribute.shared === true);
}
