/** The locale that a write applies to. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Issue } from '../contract/errors.ts';
import { invalidValue } from './invalid-parameter.ts';
import type { CheckedQuery } from './checked-query.ts';

function defaultLocale({ locales }: ContentTypes): string {
  const [first] = locales;
  if (first === undefined) throw new Error('this server has no locales');
  return first;
}

/**
 * The locale that the query names, otherwise the default. Throws BadRequestError for a locale that the server does not have, if
 * the type is localized.
 */
export function queryLocale(types: ContentTypes, type: ContentType, { locale }: CheckedQuery): string {
  if (!type.localized || locale === undefined) return defaultLocale(types);
  if (!types.locales.includes(locale)) throw invalidValue('locale', 'this server has no such locale');
  return locale;
}

/** The locale of a new entry: the one in the body, otherwise `otherwise`. */
export function newLocale(
  { locales }: ContentTypes,
  named: unknown,
  otherwise: string,
): { readonly locale: string; readonly issues: readonly Issue[] } {
  // The validators report values that are not strings.
  if (typeof named !== 'string') return { locale: otherwise, issues: [] };
  if (locales.includes(named)) return { locale: named, issues: [] };
  return { locale: otherwise, issues: [{ path: ['locale'], message: "This locale doesn't exist" }] };
}
