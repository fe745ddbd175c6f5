/** Which components are written where they are referred to: generators take a time that grows with the square of the number of names. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { type Components, countUses } from '#contract/routes/used-components.ts';

interface Folding {
  /** Those that keep their names. */
  readonly components: Components;
  /** The others by reference, such as `#/components/schemas/Sort`. */
  readonly folded: ReadonlyMap<string, JsonSchema>;
}

/**
 * Folds the components that are referred to at most as often as `foldable` says, by reference, and leaves those out that nothing
 * refers to. `paths` are the operations of the document.
 */
export function foldComponents(
  paths: JsonSchema,
  components: Components,
  foldable: ReadonlyMap<string, number>,
): Folding {
  const uses = countUses(paths, components);
  const folded = new Map<string, JsonSchema>();
  const left: Record<string, Record<string, JsonSchema>> = {};
  for (const [section, members] of Object.entries(components)) {
    const kept: Record<string, JsonSchema> = (left[section] = {});
    for (const [name, schema] of Object.entries(members)) {
      const ref = `#/components/${section}/${name}`;
      const count = uses.get(ref) ?? 0;
      if (count === 0) continue;
      if (count <= (foldable.get(ref) ?? 0)) folded.set(ref, schema);
      else kept[name] = schema;
    }
  }
  return { components: left, folded };
}
