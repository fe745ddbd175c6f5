/** Finds the places of component items in the JSON columns of a type. */
import type { ItemPlace } from '#contract/migrations/items-edit.ts';
import type { ComponentShape, Holds } from '../../storage/storage-model.ts';

/** A place with items of one component. */
export interface PlacedComponent {
  readonly uid: string;
  readonly place: ItemPlace;
}

function* inside(
  { uid, place }: PlacedComponent,
  shapes: ReadonlyMap<string, ComponentShape>,
): Generator<PlacedComponent> {
  yield { uid, place };
  for (const member of shapes.get(uid)?.members ?? []) {
    if (member.kind !== 'component') continue;
    const step = { member: member.name, list: member.repeatable };
    yield* inside({ uid: member.component, place: { ...place, inside: [...place.inside, step] } }, shapes);
  }
}

/** All places of items in one column, outer ones before inner ones. Terminates, as components can't contain themselves. */
export function* itemPlaces(
  column: string,
  holds: Holds,
  shapes: ReadonlyMap<string, ComponentShape>,
): Generator<PlacedComponent> {
  if (holds.kind === 'component') {
    const place = { column, list: holds.repeatable, inside: [] };
    yield* inside({ uid: holds.component, place }, shapes);
    return;
  }
  for (const uid of holds.components) {
    yield* inside({ uid, place: { column, list: true, component: uid, inside: [] } }, shapes);
  }
}

/** Shapes by uid. */
export function shapesByUid(components: readonly ComponentShape[] = []): ReadonlyMap<string, ComponentShape> {
  return new Map(components.map((shape) => [shape.uid, shape]));
}
