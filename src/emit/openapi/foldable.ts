/** Components that large documents inline instead of naming. */
import type { BodyName } from '#contract/routes/entry-schemas.ts';
import type { SchemaWord, Scope } from './names.ts';

/** Schemas used by one other schema, or by a few bodies and parameters, with the maximum number of uses. */
const PARTS: Readonly<Partial<Record<SchemaWord | BodyName, number>>> = {
  ...{ Attributes: 1, Field: 1, Sort: 1, SortKey: 2, Populate: 1, PopulateTree: 1 },
  ...{ Response: 4, ListResponse: 1, CreateRequest: 1, UpdateRequest: 1, CreateForm: 1, UpdateForm: 1 },
};

/** The same for parameters: lists and single entries take filters, but only lists take a sort order. */
const PARAMETERS = { Filters: 2, Sort: 1 };

/** The references that may be inlined, for all types that have short schemas: the argument for `foldComponents`. */
export function foldable({ names }: Scope): ReadonlyMap<string, number> {
  const short = [...names.values()].filter(({ isShort }) => isShort);
  const refsOf = (section: string, prefix: string, words: Readonly<Record<string, number>>) =>
    Object.entries(words).map(([word, most]) => [`#/components/${section}/${prefix}${word}`, most] as const);
  return new Map(
    short.flatMap(({ schema }) => [...refsOf('schemas', schema, PARTS), ...refsOf('parameters', schema, PARAMETERS)]),
  );
}
