/** Reference model of relations: the expected members on both sides of every relation. */
import type { Attribute } from '../src/contract/content-type.ts';
import type { EntryRef, RelationChange } from '../src/content/relations/relation-change.ts';
import { changedList } from './list-model.ts';
import { types } from './relation-database.ts';

/** The two sides of each relation, in the order in which one request writes them. */
export const SIDES: [string, string | undefined][] = [
  ['hub.oneWay', undefined],
  ['hub.oneOne', 'leaf.hubOne'],
  ['hub.manyOne', 'leaf.hubsOfOne'],
  ['leaf.hubOfMany', 'hub.oneMany'],
  ['hub.parent', 'hub.children'],
  ['hub.next', 'hub.previous'],
  ['hub.pic', undefined],
  ['hub.manyMany', 'leaf.hubsMany'],
  ['hub.manyWay', undefined],
  ['hub.follows', 'hub.followers'],
  ['hub.friends', undefined],
  ['hub.morphOne', undefined],
  ['hub.morphMany', undefined],
  ['hub.pics', undefined],
];
const INVERSE = new Map(
  SIDES.flatMap(([a, b]) =>
    b === undefined
      ? []
      : ([
          [a, b],
          [b, a],
        ] as [string, string][]),
  ),
);
export const ORDER = SIDES.flatMap(([a, b]) => (b === undefined ? [a] : [a, b]));

/** Attribute → owner → members. */
export type Model = Map<string, Map<number, string[]>>;

const idOf = (member: string): number => Number(member.split(':')[1]);
export const uidOf = (name: string): string => name.split('.')[0] ?? '';
export const attributeOf = (name: string): Attribute | undefined =>
  types.types[uidOf(name)]?.attributes[name.split('.')[1] ?? ''];
const isMany = (name: string): boolean => (attributeOf(name) as { many: boolean }).many;

function membersOf(model: Model, name: string, owner: number): string[] {
  return model.get(name)?.get(owner) ?? [];
}

function put(model: Model, name: string, owner: number, members: string[]): void {
  const lists = model.get(name) ?? new Map<number, string[]>();
  model.set(name, lists.set(owner, members));
}

/** Sets the list of an attribute, and updates the other side. */
function relate(model: Model, name: string, owner: number, members: string[]): void {
  const inverse = INVERSE.get(name);
  const before = membersOf(model, name, owner);
  put(model, name, owner, members);
  if (inverse === undefined) return;
  const own = `${uidOf(name)}:${owner}`;
  for (const gone of before.filter((member) => !members.includes(member))) {
    put(
      model,
      inverse,
      idOf(gone),
      membersOf(model, inverse, idOf(gone)).filter((member) => member !== own),
    );
  }
  for (const added of members.filter((member) => !before.includes(member))) {
    const others = membersOf(model, inverse, idOf(added));
    if (isMany(inverse)) {
      put(model, inverse, idOf(added), [...others, own]);
      continue;
    }
    for (const former of others.map(idOf)) {
      put(
        model,
        name,
        former,
        membersOf(model, name, former).filter((member) => member !== added),
      );
    }
    put(model, inverse, idOf(added), [own]);
  }
}

const name = ({ type, id }: EntryRef): string => `${type}:${id}`;

function changed(now: string[], change: RelationChange, many: boolean): string[] | undefined {
  if (change.kind === 'set') return (many ? change.targets : change.targets.slice(-1)).map(name);
  const gone = change.disconnect.map(name);
  const last = change.connect.at(-1);
  if (!many) return last ? [name(last)] : now.filter((member) => !gone.includes(member));
  const steps = change.connect.map(({ position, ...target }) => ({
    key: name(target),
    position: 'anchor' in position ? { kind: position.kind, anchor: name(position.anchor) } : position,
  }));
  return changedList(now, steps, gone);
}

/** Applies a request to the model; false, leaving the model unchanged, if it must be refused. */
export function applyToModel(model: Model, uid: string, owner: number, changes: Map<string, RelationChange>): boolean {
  const before = structuredClone(model);
  const names = [...changes.keys()].map((name) => `${uid}.${name}`).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  for (const name of names) {
    const change = changes.get(name.split('.')[1] ?? '');
    if (!change) continue;
    const possible = changed(membersOf(before, name, owner), change, isMany(name));
    const members = changed(membersOf(model, name, owner), change, isMany(name));
    if (!possible || !members) {
      for (const [all, lists] of before) model.set(all, lists);
      for (const all of model.keys()) if (!before.has(all)) model.delete(all);
      return false;
    }
    relate(model, name, owner, members);
  }
  return true;
}

/** Deletes an entry. */
export function forget(model: Model, uid: string, id: number): void {
  for (const [name, lists] of model) {
    if (uidOf(name) === uid) lists.delete(id);
    for (const [owner, members] of lists) {
      lists.set(
        owner,
        members.filter((member) => member !== `${uid}:${id}`),
      );
    }
  }
}
