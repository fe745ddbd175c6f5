/** Indexes on attributes of components. */
import type { ContentType } from '../contract/content-type.ts';

/** The name of the index on an attribute of a component, given the path of attribute names to it; undefined if there is none. */
export function memberIndexOf({ memberIndexes }: ContentType, path: readonly string[]): string | undefined {
  const name = path.join('.');
  return memberIndexes && Object.hasOwn(memberIndexes, name) ? memberIndexes[name] : undefined;
}
