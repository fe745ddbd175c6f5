/**
 * `_q`: searches the readable text attributes for a substring, ignoring case; or, if the type has a full-text index, for words.
 */
import type { ContentType } from '../contract/content-type.ts';
import { CONDITION_WEIGHT } from '../contract/limits.ts';
import { PLACEHOLDER_ATTRIBUTE } from '../contract/placeholder.ts';
import type { QueryContext } from './query-context.ts';
import type { QueryValue } from './query-value.ts';
import type { ReadableAttributes } from './readable-attributes.ts';
import type { Filter } from './read-query.ts';
import { isTextType, operandOf, searchedText } from './scalar-filter.ts';
import { castWords } from './search-words.ts';

/** The filter of a search; undefined if the search string is empty. Throws BadRequestError if it is invalid. */
export function parseSearch(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  context: QueryContext,
  { uid, search, attributes: own }: ContentType,
): Filter | undefined {
  if (value === undefined || value === '') return undefined;
  // Its index has the words of all its attributes.
  if (search?.attributes.every((name) => attributes.has(name) || own[name]?.private === true)) {
    context.budget.condition(CONDITION_WEIGHT.search);
    return { kind: 'words', index: search.index, words: operandOf(value, castWords, { context, path: '_q' }) };
  }
  // The number of text attributes depends on the schema, not on the client: a search in all of them counts as one condition.
  context.budget.condition(CONDITION_WEIGHT.foldedSearch);
  const text = searchedText(value, true, { context, path: '_q' });
  const filters = [...attributes.values()].flatMap((field): Filter[] =>
    field.kind === 'scalar' &&
    isTextType(field.type) &&
    own[field.name]?.private !== true &&
    Object.hasOwn(own, field.name) &&
    // Letters that nobody has written: they would match any short word.
    !(uid === 'file' && field.name === PLACEHOLDER_ATTRIBUTE)
      ? [{ kind: 'text', field, match: 'contains', fold: true, value: text }]
      : [],
  );
  return { kind: 'or', filters };
}
