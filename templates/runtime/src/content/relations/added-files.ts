/**
 * Files that came with a request: they are added to those that an attribute of several has, where a list of ids in the
 * request would replace them. Nothing that a client can write in JSON is one of these lists.
 */
const added = new WeakSet<object>();

/** A list of ids to use as the value of a media attribute. A hook that replaces it replaces the files. */
export function addedFiles(ids: readonly number[]): readonly number[] {
  const list = [...ids];
  added.add(list);
  return list;
}

/** Whether a value is a list that `addedFiles` made. */
export function isAddedFiles(value: unknown): boolean {
  return typeof value === 'object' && value !== null && added.has(value);
}
