/**
 * The locale in which a query shows entries that it reaches through relations between entries: the one that it asks for, else the
 * default one, else the first that the entry has, in the order of the schema.
 */
import type { ContentTypes } from '../contract/content-type.ts';
import type { Format } from './format.ts';
import { ownValue, type QueryObject, textOf } from './query-value.ts';
import type { ReadableMorph, ReadableRelation, ShownLocale } from './readable-attributes.ts';

/** The part of a query context that the locale depends on. */
export interface ShownContext {
  readonly shownLocale: ShownLocale;
  /** Whether the attributes are those of component items that all locales of their entry share. */
  readonly inSharedItem: boolean;
}

function wantedLocale(query: QueryObject, { locales }: ContentTypes, { rules }: Format): string | undefined {
  const value = ownValue(query, 'locale');
  const named = value === undefined ? '' : textOf(value, 'locale');
  if (named !== '') return locales.includes(named) ? named : undefined;
  return rules === 'v5' ? locales[0] : undefined;
}

/** The locale that a query asks for. In the v4 format an entry found by its id may be in any locale, which is then the wanted one. */
export function shownLocaleOf(query: QueryObject, types: ContentTypes, format: Format): ShownLocale {
  return { wanted: wantedLocale(query, types, format), locales: types.locales };
}

/** The relation as a query follows it: with the locale to show, if it is between entries. */
export function followed<Relation extends ReadableRelation | ReadableMorph>(
  { shownLocale, inSharedItem }: ShownContext,
  relation: Relation,
): Relation {
  return relation.shared || inSharedItem ? { ...relation, shown: shownLocale } : relation;
}
