/** Removes unused components from an OpenAPI document. */
import type { JsonSchema } from './json-schema.ts';

/** Section, such as `schemas` → name → component. */
export type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** Calls `found` for each `$ref` in a value. */
function eachRef(value: object, found: (ref: string) => void): void {
  if ('$ref' in value && typeof value.$ref === 'string') found(value.$ref);
  for (const member of Object.values(value) as readonly unknown[]) {
    if (typeof member === 'object' && member !== null) eachRef(member, found);
  }
}

/**
 * Reference → number of its uses in `paths`, and in the components that can be reached from there. Throws for a reference to a
 * missing component, which is a bug.
 */
export function countUses(paths: object, components: Components): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const open = [paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    eachRef(value, (ref) => {
      const known = uses.get(ref) ?? 0;
      uses.set(ref, known + 1);
      if (known > 0) return;
      const [, , section = '', name = ''] = ref.split('/');
      const target = components[section]?.[name];
      if (target === undefined) throw new Error(`openapi.json refers to ${ref}, which it does not have`);
      open.push(target);
    });
  }
  return uses;
}

/** The components that `paths` refers to, directly or through others. Throws like `countUses`. */
export function usedComponents(paths: object, components: Components): Components {
  const uses = countUses(paths, components);
  return Object.fromEntries(
    Object.entries(components).map(([section, members]) => [
      section,
      Object.fromEntries(Object.entries(members).filter(([name]) => uses.has(`#/components/${section}/${name}`))),
    ]),
  );
}
