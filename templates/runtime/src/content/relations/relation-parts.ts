/** Which rows a change of an attribute affects, depending on how the attribute is stored. */
import type {
  ContentType,
  ContentTypes,
  MediaAttribute,
  RelationAttribute,
  RelationStorage,
} from '../../contract/content-type.ts';
import type { AffectedRows, CheckedChange } from './check-targets.ts';
import type { ForeignKeyChange } from './foreign-keys.ts';
import { formerMembers, formerPartner, type FormerSides, formerTarget } from './former-sides.ts';
import type { InverseOne } from './inverse-one.ts';
import { listTable, type ListTable, morphListTable } from './list-table.ts';
import { planToOne } from './plan-to-one.ts';
import { uniqueScope } from './unique-column.ts';
import type { RelationChange } from './relation-change.ts';

/** A change of a list. */
export interface ListPart {
  readonly kind: 'list';
  readonly list: ListTable;
  readonly change: RelationChange;
}

type RelationPart =
  ({ readonly kind: 'foreignKey' } & ForeignKeyChange) | ({ readonly kind: 'inverseOne' } & InverseOne) | ListPart;

/** An attribute that changes. */
export interface ChangedRelation {
  readonly name: string;
  readonly many: boolean;
  /** The types that can be related to. */
  readonly targets: readonly ContentType[];
  /** The attribute of the other side; undefined if there is none. */
  readonly inverse: string | undefined;
  readonly storage: RelationStorage;
  readonly part: RelationPart;
  readonly check: CheckedChange;
}

interface Owner {
  readonly type: ContentType;
  readonly id: number | undefined;
}

function attributeOf(type: ContentType, name: string): RelationAttribute | MediaAttribute {
  const attribute = Object.hasOwn(type.attributes, name) ? type.attributes[name] : undefined;
  if (attribute?.type === 'relation' || attribute?.type === 'media') return attribute;
  throw new Error(`${type.uid}.${name} is neither relation nor media`);
}

function targetOf(types: ContentTypes, attribute: RelationAttribute | MediaAttribute): ContentType {
  const uid = attribute.type === 'media' ? 'file' : (attribute.target ?? '');
  const target = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
  if (!target) throw new Error(`There is no content type ${uid}`);
  return target;
}

/** A to-one change as the change of a list with at most one entry. */
export function asListChange(change: RelationChange): RelationChange {
  const toOne = planToOne(change);
  if (toOne.kind === 'release') return { kind: 'change', connect: [], disconnect: toOne.targets };
  return { kind: 'set', targets: toOne.target ? [toOne.target] : [] };
}

function partOf(
  types: ContentTypes,
  owner: ContentType,
  attribute: RelationAttribute | MediaAttribute,
  change: RelationChange,
): RelationPart {
  const { storage, many } = attribute;
  const listChange = many ? change : asListChange(change);
  if (storage.kind === 'inverseMorph') {
    throw new Error(
      `${storage.table} can only be written through the owning side, and validators refuse anything else`,
    );
  }
  if (storage.kind === 'morph') {
    return { kind: 'list', list: morphListTable(types, storage, owner), change: listChange };
  }
  const target = targetOf(types, attribute);
  if (storage.kind === 'foreignKey') {
    const isBothSides = attribute.type === 'relation' && attribute.inverse !== undefined;
    return {
      kind: 'foreignKey',
      storage,
      scope: uniqueScope(owner, attribute.shared === true),
      type: target.uid,
      change,
      ...(isBothSides && { bothSides: target.table }),
    };
  }
  const isShared = attribute.shared === true;
  if (storage.kind === 'link') {
    return { kind: 'list', list: listTable(storage, target, owner, isShared), change: listChange };
  }
  const { position, column } = storage;
  if (position === undefined) {
    const { table } = target;
    return { kind: 'inverseOne', table, scope: uniqueScope(target, isShared), column, owners: owner.table, change };
  }
  return { kind: 'list', list: listTable({ ...storage, position }, target, owner, isShared), change: listChange };
}

/** Rows that change beside those of the connected entries. */
function affectedRows(part: RelationPart, owner: Owner, target: ContentType | undefined): AffectedRows[] {
  const { change } = part;
  const ownerIds = owner.id === undefined ? [] : [owner.id];
  if (part.kind === 'foreignKey') {
    const toOne = planToOne(change);
    const id = toOne.kind === 'set' ? toOne.target?.id : undefined;
    return part.storage.unique && id !== undefined
      ? [{ type: owner.type, column: part.storage.column, ids: [id], unique: true }]
      : [];
  }
  if (!target) return [];
  if (part.kind === 'inverseOne') return [{ type: target, column: part.column, ids: ownerIds, unique: true }];
  if (part.list.kind === 'links') return [];
  return change.kind === 'set'
    ? [{ type: target, column: part.list.own, ids: ownerIds }]
    : [{ type: target, column: 'id', ids: change.disconnect.map(({ id }) => id) }];
}

/** Entries that lose a related entry from one of their attributes. */
function formerSides(
  types: ContentTypes,
  part: RelationPart,
  owner: Owner,
  target: ContentType | undefined,
): readonly FormerSides[] {
  if (part.kind === 'list') return formerMembers(owner, part.list, part.change, (uid) => types.types[uid]);
  if (part.kind === 'inverseOne') return formerPartner(owner, part);
  return target && part.bothSides !== undefined ? formerTarget(owner, part, target) : [];
}

/** Whether rows of the connected entries change, or their lists. */
function locksTargets(part: RelationPart): boolean {
  if (part.kind === 'inverseOne') return true;
  if (part.kind === 'list') {
    return part.list.kind === 'children' || part.list.members.some(({ bothSides }) => bothSides !== undefined);
  }
  return part.storage.unique === true || part.storage.position !== undefined;
}

function hasForeignKeys(part: RelationPart): boolean {
  return part.kind === 'foreignKey' || (part.kind === 'list' && part.list.kind === 'links');
}

/** Whether all connected entries remain connected: a to-one relation keeps only the last of several. */
export function keepsAll(change: RelationChange, { many }: Pick<RelationAttribute, 'many'>): boolean {
  if (change.kind === 'set') return many || change.targets.length <= 1;
  return change.disconnect.length === 0 && (many || change.connect.length <= 1);
}

/** Derives from the descriptor what a change affects. Throws if the attribute is neither relation nor media, which is a defect. */
export function changedRelation(
  types: ContentTypes,
  owner: Owner,
  name: string,
  change: RelationChange,
): ChangedRelation {
  const attribute = attributeOf(owner.type, name);
  const { storage } = attribute;
  const part = partOf(types, owner.type, attribute, change);
  const target = storage.kind === 'morph' ? undefined : targetOf(types, attribute);
  const isTheirs = storage.kind === 'inverseForeignKey' && target !== undefined;
  const morphs = storage.kind === 'morph' ? Object.keys(storage.targets).flatMap((uid) => types.types[uid] ?? []) : [];
  const check = {
    change,
    ...(isTheirs && { otherSide: { type: target.uid, path: [name] } }),
    media: attribute.type === 'media',
    locksTargets: locksTargets(part),
    isKeyed: hasForeignKeys(part) && keepsAll(change, attribute),
    affectedRows: affectedRows(part, owner, target),
    formerSides: formerSides(types, part, owner, target),
  };
  const inverse = attribute.type === 'relation' ? attribute.inverse : undefined;
  return { name, many: attribute.many, targets: target ? [target] : morphs, inverse, storage, part, check };
}

/** The change as one of a list, in which a to-one relation keeps only the last entry. */
export function listChangeOf({ part }: ChangedRelation): RelationChange {
  return part.kind === 'list' ? part.change : asListChange(part.change);
}

/** Whether two attributes of a type are the two sides of one self-referencing relation. */
export function areSidesOfSameRelation(a: ChangedRelation, b: ChangedRelation, own: ContentType): boolean {
  if (a.part.kind === 'foreignKey' && b.part.kind === 'list') {
    return (
      b.part.list.kind === 'children' && b.part.list.table === own.table && b.part.list.own === a.part.storage.column
    );
  }
  return a.storage.kind === 'link' && b.storage.kind === 'link' && a.storage.table === b.storage.table;
}
