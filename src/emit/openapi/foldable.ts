/** What large documents have no names for. */
import type { BodyName } from '#contract/routes/entry-schemas.ts';
import type { SchemaWord, Scope } from './names.ts';

/** Schemas that are part of one other, or of few bodies and parameters, each with how many places that can be. */
const PARTS: Readonly<Partial<Record<SchemaWord | BodyName, number>>> = {
  ...{ Attributes: 1, Field: 1, Sort: 1, SortKey: 2, Populate: 1, PopulateTree: 1 },
  ...{ Response: 4, ListResponse: 1, CreateRequest: 1, UpdateRequest: 1, CreateForm: 1, UpdateForm: 1 },
};

/** The same of parameters: lists and single entries take filters, and only lists an order. */
const PARAMETERS = { Filters: 2, Sort: 1 };

/** References to these of all types that others refer to by short schemas, as `foldComponents` takes them. */
export function foldable({ names }: Scope): ReadonlyMap<string, number> {
  const short = [...names.values()].filter(({ isShort }) => isShort);
  const refsOf = (section: string, prefix: string, words: Readonly<Record<string, number>>) =>
    Object.entries(words).map(([word, most]) => [`#/components/${section}/${prefix}${word}`, most] as const);
  return new Map(
    short.flatMap(({ schema }) => [...refsOf('schemas', schema, PARTS), ...refsOf('parameters', schema, PARAMETERS)]),
  );
}
