/** A relation is shared by all locales if one of its sides says so: both sides show the same relation. */
import type { Attribute, ContentType, RelationAttribute } from './content-model.ts';

function isShared(type: ContentType, attribute: RelationAttribute): boolean {
  return type.localized && !attribute.localized;
}

function shareRelations(type: ContentType, types: ReadonlyMap<string, ContentType>): ContentType {
  const share = (attribute: Attribute): Attribute => {
    if (attribute.kind !== 'relation') return attribute;
    const [uid = ''] = attribute.inverse === undefined ? [] : attribute.targets;
    const target = types.get(uid);
    const other = target?.attributes.find(({ name }) => name === attribute.inverse);
    const isOther = target !== undefined && other?.kind === 'relation' && isShared(target, other);
    return isShared(type, attribute) || isOther ? { ...attribute, shared: true, localized: false } : attribute;
  };
  return { ...type, attributes: type.attributes.map(share) };
}

/** The types with the relations that are shared by one of their sides shared by both. */
export function withSharedRelations(types: readonly ContentType[]): ContentType[] {
  const byUid = new Map(types.map((type) => [type.uid, type]));
  return types.map((type) => shareRelations(type, byUid));
}
