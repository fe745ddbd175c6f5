/** How far the schemas of a document lead: from type to type without end, or one step. */
import type { Attribute, ContentModel } from '../../model/content-model.ts';

/**
 * Generators and validators follow references by recursion: where many types lead to each other, they run out of stack or of time. In
 * a document with more attributes than this that lead to another schema, what is behind a relation is described for one step.
 */
const MOST_LINKS = 100;

function leads({ kind }: Attribute): boolean {
  return kind !== 'scalar';
}

/** The uids of the types to which others refer by short schemas. Components are items of their types, and lead no further than these. */
export function shortTypes({
  contentTypes,
  components,
}: Pick<ContentModel, 'contentTypes' | 'components'>): ReadonlySet<string> {
  const links = [...contentTypes, ...components].flatMap(({ attributes }) => attributes.filter(leads));
  if (links.length <= MOST_LINKS) return new Set();
  return new Set(contentTypes.filter(({ attributes }) => attributes.some(leads)).map(({ uid }) => uid));
}
