/**
 * Decides which components are inlined where they are referred to: client generators take time quadratic in the number
 * of names.
 */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { type Components, countUses } from '#contract/routes/used-components.ts';

interface Folding {
  /** Components that keep their names. */
  readonly components: Components;
  /** Inlined components by reference, such as `#/components/schemas/Sort`. */
  readonly folded: ReadonlyMap<string, JsonSchema>;
}

/**
 * Inlines the components that are referred to no more often than `foldable` (reference → maximum) allows, and drops
 * unreferenced ones. `paths` are the operations of the document.
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
