/** The part of a description that some groups of operations need: small enough for generators, where a server has hundreds of types. */
import { UsageError } from '../base/command-errors.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { type Components, usedComponents } from '../contract/routes/used-components.ts';
import type { Description } from './describe.ts';

/** A description with all that it can have. */
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

/** The operations of these tags; undefined where a path has none. */
function operationsOf(operations: JsonSchema, chosen: ReadonlySet<string>): JsonSchema | undefined {
  const kept = Object.entries(operations).filter(([, operation]) => {
    const { tags = [] } = operation as { readonly tags?: readonly string[] };
    return tags.some((tag) => chosen.has(tag));
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * The operations of these tags, such as the names of content types, with the components that they refer to. Throws UsageError for a
 * tag that no operation has.
 */
export function partOf<Whole extends WholeDescription>(whole: Whole, tags: readonly string[]): Whole {
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
