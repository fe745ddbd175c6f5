/** Writes components where they are referred to: generators take a time that grows with the square of the number of names. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import { type Components, eachRef } from '#contract/routes/used-components.ts';

type Json = JsonSchema[string];

interface Parts {
  readonly paths: JsonSchema;
  readonly components: Components;
}

/** How often each component is referred to. */
function usesIn(parts: Parts): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  eachRef(parts, (ref) => uses.set(ref, (uses.get(ref) ?? 0) + 1));
  return uses;
}

/** The value with these components in place of the references to them. What is said beside a reference counts. */
function unfolded(value: Json, targets: ReadonlyMap<string, JsonSchema>): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((member) => unfolded(member, targets) ?? null);
  const { $ref, ...beside } = value as JsonSchema;
  const target = typeof $ref === 'string' ? targets.get($ref) : undefined;
  const whole = target === undefined ? (value as JsonSchema) : { ...target, ...beside };
  // What is folded into this one may itself have something to be folded into it.
  return Object.fromEntries(Object.entries(whole).map(([key, member]) => [key, unfolded(member, targets)]));
}

/** Folds the components that are referred to at most as often as `foldable` says, by references such as `#/components/schemas/Sort`. */
export function foldComponents(parts: Parts, foldable: ReadonlyMap<string, number>): Parts {
  const uses = usesIn(parts);
  const targets = new Map<string, JsonSchema>();
  const components: Record<string, Record<string, JsonSchema>> = {};
  for (const [section, members] of Object.entries(parts.components)) {
    const kept: Record<string, JsonSchema> = (components[section] = {});
    for (const [name, schema] of Object.entries(members)) {
      const ref = `#/components/${section}/${name}`;
      if ((uses.get(ref) ?? 0) <= (foldable.get(ref) ?? -1)) targets.set(ref, schema);
      else kept[name] = schema;
    }
  }
  return unfolded({ paths: parts.paths, components }, targets) as unknown as Parts;
}
