/** Extracts some operations from an OpenAPI description, since that of hundreds of types is too large for client generators. */
import { UsageError } from '../base/command-errors.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { type Components, usedComponents } from '../contract/routes/used-components.ts';
import type { Description } from './describe.ts';

/** A complete description. */
interface WholeDescription extends Description {
  readonly components?: Components;
}

function tagsOf({ tags = [] }: Description): readonly (JsonSchema & { readonly name: string })[] {
  return tags as readonly (JsonSchema & { readonly name: string })[];
}

function refuseUnknown(description: Description, chosen: ReadonlySet<string>): void {
  const known = tagsOf(description).map(({ name }) => name);
  const unknown = [...chosen].filter((tag) => !known.includes(tag));
  if (unknown.length === 0) return;
  throw new UsageError(`No operation has the tag ${unknown.join(', ')}. There are: ${known.join(', ')}`);
}

/** The operations of a path with one of these tags; undefined if there are none. */
function operationsOf(operations: JsonSchema, chosen: ReadonlySet<string>): JsonSchema | undefined {
  const kept = Object.entries(operations).filter(([, operation]) => {
    const { tags = [] } = operation as { readonly tags?: readonly string[] };
    return tags.some((tag) => chosen.has(tag));
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * The description reduced to the operations with these tags, such as names of content types, and the components that they refer to.
 * Throws UsageError for an unknown tag.
 */
export function filterByTags<Whole extends WholeDescription>(whole: Whole, tags: readonly string[]): Whole {
  const chosen = new Set(tags);
  refuseUnknown(whole, chosen);
  const paths = Object.fromEntries(
    Object.entries(whole.paths).flatMap(([path, operations]) => {
      const kept = operationsOf(operations, chosen);
      return kept ? [[path, kept] as const] : [];
    }),
  );
  const { securitySchemes, ...components } = whole.components ?? {};
  return {
    ...whole,
    tags: tagsOf(whole).filter(({ name }) => chosen.has(name)),
    paths,
    components: { ...usedComponents(paths, components), ...(securitySchemes && { securitySchemes }) },
  };
}

/** Splits a description into several, each with the operations of at most `size` tags and the components that they refer to. */
export function splitByTags<Whole extends WholeDescription>(whole: Whole, size: number): readonly Whole[] {
  const names = tagsOf(whole).map(({ name }) => name);
  const parts = Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  );
  return parts.map((tags) => filterByTags(whole, tags));
}
