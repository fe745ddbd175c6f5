/**
 * Files uploaded with the request itself: they are added to the files of an attribute with many, whereas a list of ids in the
 * body would replace those. The lists are marked by identity, so a client can't forge one in JSON.
 */
const added = new WeakSet<object>();

/** A marked list of ids, to be used as the value of a media attribute. If a hook replaces it, its files replace the stored ones. */
export function addedFiles(ids: readonly number[]): readonly number[] {
  const list = [...ids];
  added.add(list);
  return list;
}

/** Whether a value is a list created by `addedFiles`. */
export function isAddedFiles(value: unknown): boolean {
  return typeof value === 'object' && value !== null && added.has(value);
}
