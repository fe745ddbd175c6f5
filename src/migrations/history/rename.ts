/** Renames, which the schema declares with `renamedFrom`. */
import type { Rename } from '#contract/migrations/plan.ts';
import type { ContentModel } from '../../model/content-model.ts';

interface Named {
  readonly renamedFrom: string | undefined;
}

function rename<T extends Named>(things: readonly T[], of: (thing: T, from: string) => Rename): readonly Rename[] {
  return things.flatMap((thing) => (thing.renamedFrom === undefined ? [] : [of(thing, thing.renamedFrom)]));
}

/** All renames in a content model, whether already carried out or not. */
export function renamesOf({ contentTypes, components }: ContentModel): readonly Rename[] {
  return [
    ...rename(contentTypes, ({ uid }, from) => ({ kind: 'type', from, to: uid })),
    ...rename(components, ({ uid }, from) => ({ kind: 'component', from, to: uid })),
    ...[...contentTypes, ...components].flatMap(({ uid, attributes }) =>
      rename(attributes, ({ name }, from) => ({ kind: 'attribute', owner: uid, from, to: name })),
    ),
  ];
}
