/** Leaves out the components that nothing in a document refers to. */
import type { JsonSchema } from './json-schema.ts';

/** By section, such as `schemas`, and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** Calls `found` with what a value refers to, once for each time. */
function eachRef(value: object, found: (ref: string) => void): void {
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') {
      if (member !== null) eachRef(member as object, found);
    } else if (key === '$ref' && typeof member === 'string') found(member);
  }
}

/**
 * How often each component is referred to by `paths` and by the components that these lead to; of all others there is nothing.
 * Throws for a reference to what is not there: a defect.
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

/** The components that `paths` refer to, and those that these refer to. Throws as `countUses` does. */
export function usedComponents(paths: object, components: Components): Components {
  const uses = countUses(paths, components);
  return Object.fromEntries(
    Object.entries(components).map(([section, members]) => [
      section,
      Object.fromEntries(Object.entries(members).filter(([name]) => uses.has(`#/components/${section}/${name}`))),
    ]),
  );
}
