/** Leaves out the components that nothing in a document refers to. */
import type { JsonSchema } from './json-schema.ts';

/** By section, such as `schemas`, and name. */
export type Components = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** Calls `found` with what a value refers to, once for each time. */
export function eachRef(value: unknown, found: (ref: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (typeof member === 'object') eachRef(member, found);
    else if (key === '$ref' && typeof member === 'string') found(member);
  }
}

/** The components that `paths` refer to, and those that these refer to. Throws for a reference to what is not there: a defect. */
export function usedComponents(paths: unknown, components: Components): Components {
  const used = new Set<string>();
  const open: unknown[] = [paths];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    eachRef(value, (ref) => {
      if (used.has(ref)) return;
      used.add(ref);
      const [, , section = '', name = ''] = ref.split('/');
      const target = components[section]?.[name];
      if (target === undefined) throw new Error(`openapi.json refers to ${ref}, which it does not have`);
      open.push(target);
    });
  }
  return Object.fromEntries(
    Object.entries(components).map(([section, members]) => [
      section,
      Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`#/components/${section}/${name}`))),
    ]),
  );
}
