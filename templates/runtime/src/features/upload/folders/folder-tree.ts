/** Folders as a tree. All of them are known: their number is bounded. */
import type { Folder } from '../../../contract/upload-folders.ts';

export type FolderTree = ReadonlyMap<number, Folder>;

/** What no other folder in the same place may have: names differ in more than case. */
export function siblingKey({ name, parent }: Pick<Folder, 'name' | 'parent'>): string {
  return `${parent ?? 0}/${name.normalize('NFC').toLowerCase()}`;
}

/** A folder and all below it. */
export function withDescendants(tree: FolderTree, id: number): ReadonlySet<number> {
  const children = new Map<number | null, number[]>();
  for (const folder of tree.values()) {
    const siblings = children.get(folder.parent) ?? [];
    siblings.push(folder.id);
    children.set(folder.parent, siblings);
  }
  const found = new Set([id]);
  for (const each of found) for (const child of children.get(each) ?? []) found.add(child);
  return found;
}

/** How many folders there are on the way from the top to a folder, itself included; 0 at the top. */
export function depthOf(tree: FolderTree, id: number | null): number {
  let depth = 0;
  for (let at = id; at !== null; at = tree.get(at)?.parent ?? null) depth += 1;
  return depth;
}

/** How many levels a folder has, itself included. */
export function heightOf(tree: FolderTree, id: number): number {
  const above = depthOf(tree, id) - 1;
  return Math.max(...[...withDescendants(tree, id)].map((each) => depthOf(tree, each) - above));
}
