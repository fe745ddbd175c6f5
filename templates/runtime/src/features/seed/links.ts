/** Relations, as far as sample content tells them apart. */
import type { RelationAttribute } from '../../contract/content-type.ts';

export function targetsOf({ storage, target }: RelationAttribute): string[] {
  if (storage.kind === 'morph') return Object.keys(storage.targets);
  return target === undefined ? [] : [target];
}

/** Whether each target can be named by one entry only: another one that names it takes it away. */
export function isExclusive({ storage }: RelationAttribute): boolean {
  return storage.kind === 'inverseForeignKey' || (storage.kind === 'foreignKey' && storage.unique === true);
}

/** Whether it is filled from its other side. */
export function isOfOtherSide({ storage }: RelationAttribute): boolean {
  return storage.kind === 'inverseForeignKey' || storage.kind === 'inverseMorph';
}

/** The link table that the relation shares with its other side, if it has one. */
export function sharedTable({ storage }: RelationAttribute): string | undefined {
  return storage.kind === 'link' ? storage.table : undefined;
}
