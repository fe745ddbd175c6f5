/** `locale`: the locale of a localized type. */
import { invalidParameter } from './invalid-parameter.ts';
import { type QueryValue, textOf } from './query-value.ts';
import type { LocaleFilter } from './read-query.ts';

const LOCALE_CODE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/u;

/**
 * The requested locale; undefined if none is requested. A well-formed code that the server does not have matches nothing. Throws
 * BadRequestError for a malformed one.
 */
export function parseLocale(value: QueryValue | undefined): LocaleFilter | undefined {
  const text = value === undefined ? '' : textOf(value, 'locale');
  if (text === '') {
    return undefined;
  }
  if (text === 'all' || text === '*') {
    return { kind: 'all' };
  }
  if (!LOCALE_CODE.test(text)) {
    throw invalidParameter('locale');
  }
  return { kind: 'locale', locale: text };
}
