/** `_q`: entries of which some readable text of the schema contains a text, whatever its case; or those with some words, where the schema has an index of them. */
import type { ContentType } from '../contract/content-type.ts';
import { CONDITION } from '../contract/limits.ts';
import type { QueryContext } from './query-context.ts';
import type { QueryValue } from './query-value.ts';
import type { ReadableAttributes } from './readable-attributes.ts';
import type { Filter } from './read-query.ts';
import { isTextType, operandOf, searchedText } from './scalar-filter.ts';
import { castWords } from './search-words.ts';

/** The filter of a search; undefined when there is no text to search for. Throws BadRequestError. */
export function parseSearch(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
  { search, attributes: own }: ContentType,
): Filter | undefined {
  if (value === undefined || value === '') return undefined;
  if (search) {
    context.budget.condition(CONDITION.search);
    return { kind: 'words', index: search.index, words: operandOf(value, castWords, { context, path: '_q' }) };
  }
  // A type has as many texts as its schema says: a search in all of them is one condition to whoever asks.
  context.budget.condition(CONDITION.foldedSearch);
  const text = searchedText(value, true, { context, path: '_q' });
  const filters = [...attributes.values()].flatMap((field): Filter[] =>
    field.kind === 'scalar' && isTextType(field.type) && Object.hasOwn(own, field.name)
      ? [{ kind: 'text', field, match: 'contains', fold: true, value: text }]
      : [],
  );
  return { kind: 'or', filters };
}
