/** Between generated code, which knows the content types of its project, and the runtime, which works with any. */
import type { AnyExtensions } from './definition.ts';
import type { Extensions } from './extensions.ts';
import type { ContentServer } from './server.ts';

/** The extensions as the runtime calls them. The compiler has checked them against the types of the project. */
export function untypedExtensions<Hooks, Entries, Actions>(
  extensions: Extensions<Hooks, Entries, Actions>,
): AnyExtensions {
  return extensions as unknown as AnyExtensions;
}

/** The entries of a server, with the types of its project, which generated code names. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function typedEntries<Entries>({ services }: ContentServer): Entries {
  return services.entries as unknown as Entries;
}
