/** `_q`: entries of which some readable text contains a text, whatever its case. */
import { CONDITION } from '../contract/limits.ts';
import type { QueryContext } from './query-context.ts';
import { textOf } from './query-value.ts';
import type { QueryValue } from './query-value.ts';
import type { ReadableAttributes } from './readable-attributes.ts';
import type { Filter } from './read-query.ts';
import { isTextType, parseScalarFilter } from './scalar-filter.ts';

/** The filter of a search; undefined when there is no text to search for. Throws BadRequestError. */
export function parseSearch(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
): Filter | undefined {
  const text = value === undefined ? '' : textOf(value, '_q');
  if (text === '') {
    return undefined;
  }
  // A type has as many texts as its schema says: a search in all of them is one condition to whoever asks.
  context.budget.condition(CONDITION.foldedSearch);
  const uncounted = { ...context, budget: { ...context.budget, condition: () => undefined } };
  const fields = [...attributes.values()].filter((readable) => readable.kind === 'scalar' && isTextType(readable.type));
  const filters = fields.map((field) =>
    field.kind === 'scalar'
      ? parseScalarFilter(field, { $containsi: text }, uncounted, '_q')
      : ({ kind: 'nothing' } as const),
  );
  return { kind: 'or', filters };
}
