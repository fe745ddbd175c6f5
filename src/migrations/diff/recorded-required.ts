/** Histories of version 0.2.0 and older don't say which attributes of components are required: these are as in the schema. */
import type { ComponentShape, StorageModel } from '../../storage/storage-model.ts';
import { shapesByUid } from './item-places.ts';

/** A shape that says of all values whether they are required, as `now` does where it doesn't say itself. */
export function shapeWithRequired(shape: ComponentShape, now: ComponentShape | undefined): ComponentShape {
  const isRequired = new Map(
    now?.members.flatMap((member) => (member.kind === 'value' ? [[member.name, member.required] as const] : [])),
  );
  return {
    ...shape,
    members: shape.members.map((member) => {
      const required = isRequired.get(member.name);
      if (member.kind !== 'value' || member.required !== undefined || required === undefined) return member;
      return { ...member, required };
    }),
  };
}

/** A state, with its renames applied, that says of all values inside components whether they are required. */
export function withRequired(state: StorageModel, target: StorageModel): StorageModel {
  if (!state.components) return state;
  const now = shapesByUid(target.components);
  return { ...state, components: state.components.map((shape) => shapeWithRequired(shape, now.get(shape.uid))) };
}
