/** How deeply schemas are nested: recursively from type to type, or only one level. */
import type { Attribute, ContentModel } from '../../model/content-model.ts';

/**
 * Client generators and validators follow references recursively: with many types that refer to each other, they run
 * out of stack or time. In a document with more non-scalar attributes than this, relations are described only one level
 * deep.
 */
const MAX_LINKS = 100;

function leads({ kind }: Attribute): boolean {
  return kind !== 'scalar';
}

/** The uids of types that others refer to by short schemas. Components need none: they only lead to such types. */
export function shortTypes({
  contentTypes,
  components,
}: Pick<ContentModel, 'contentTypes' | 'components'>): ReadonlySet<string> {
  const links = [...contentTypes, ...components].flatMap(({ attributes }) => attributes.filter(leads));
  if (links.length <= MAX_LINKS) return new Set();
  return new Set(contentTypes.filter(({ attributes }) => attributes.some(leads)).map(({ uid }) => uid));
}
