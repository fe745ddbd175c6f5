/** Indexes of attributes of components. */
import type { ContentType } from '../contract/content-type.ts';

/** What the index of an attribute of a component is called, by the names that lead to it; undefined where there is none. */
export function memberIndexOf({ memberIndexes }: ContentType, path: readonly string[]): string | undefined {
  const name = path.join('.');
  return memberIndexes && Object.hasOwn(memberIndexes, name) ? memberIndexes[name] : undefined;
}
