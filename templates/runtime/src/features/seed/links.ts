/** The properties of relations that matter for sample content. */
import type { RelationAttribute } from '../../contract/content-type.ts';

export function targetsOf({ storage, target }: RelationAttribute): string[] {
  if (storage.kind === 'morph') return Object.keys(storage.targets);
  return target === undefined ? [] : [target];
}

/** Whether each target can belong to one entry only: linking it to another entry removes the first link. */
export function isExclusive({ storage }: RelationAttribute): boolean {
  return storage.kind === 'inverseForeignKey' || (storage.kind === 'foreignKey' && storage.unique === true);
}

/** Whether the relation is stored by, and therefore filled from, its other side. */
export function isOfOtherSide({ storage }: RelationAttribute): boolean {
  return storage.kind === 'inverseForeignKey' || storage.kind === 'inverseMorph';
}

/** The join table that the relation shares with its other side, if it has one. */
export function sharedTable({ storage }: RelationAttribute): string | undefined {
  return storage.kind === 'link' ? storage.table : undefined;
}
