/** Target checks for the relations and media inside the components of a request. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { CheckedChange } from '../relations/check-targets.ts';
import { keepsAll } from '../relations/relation-parts.ts';
import { isRelationChange } from '../relations/relation-change.ts';
import { byName, itemsInside, kindsOf, valueOf, type Values } from '../../contract/item-attributes.ts';

/**
 * All changes of relations and media inside the components of `input`, for `planRelations`, which checks their targets together
 * with those of the entry's own relations.
 */
export function componentTargets(types: ContentTypes, type: ContentType, input: Values): readonly CheckedChange[] {
  const changes: CheckedChange[] = [];
  for (const [name, own] of kindsOf(type.attributes).items) {
    for (const { component, item } of itemsInside(types, own, valueOf(input, name), byName)) {
      for (const [inner, attribute] of kindsOf(component.attributes).links) {
        const change = valueOf(item, inner);
        if (!isRelationChange(change)) continue;
        const isKeyed = keepsAll(change, attribute);
        changes.push({ change, media: attribute.type === 'media', locksTargets: false, isKeyed, affectedRows: [] });
      }
    }
  }
  return changes;
}
