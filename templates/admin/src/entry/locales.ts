import { useSession } from '../app/session.ts';
import { resourceOf } from '../model/model.ts';
import type { OtherLocale } from '../rest/rest-entry.ts';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';

/** A locale that an entry has or could have. */
export interface LocaleChoice {
  readonly locale: string;
  readonly exists: boolean;
  /** Path of its page, or of the page that creates it. */
  readonly to: string;
  /** The entry to read for it. */
  readonly target: EntryTarget;
}

function choiceOf(
  target: EntryTarget,
  locale: string,
  others: readonly OtherLocale[],
  current: number | undefined,
): LocaleChoice {
  const { type } = target;
  const resource = resourceOf(type);
  if (type.kind === 'single') {
    return { locale, exists: true, to: `/${resource}?locale=${locale}`, target: { type, locale } };
  }
  const id = locale === target.locale ? current : others.find((other) => other.locale === locale)?.id;
  const source = current ?? target.otherLocaleOf;
  // For a new entry without other locales, the link only selects its locale.
  const from = source === undefined ? '' : `&from=${source}`;
  const to = id === undefined ? `/${resource}/create?locale=${locale}${from}` : `/${resource}/${id}`;
  return { locale, exists: id !== undefined || source === undefined, to, target: { type, id, locale } };
}

/** All locales of the server, with the entry's state in each. `source`: the entry that a new locale belongs to. */
export function useLocaleChoices(
  target: EntryTarget,
  entry: LoadedEntry | undefined,
  source?: LoadedEntry | null,
): readonly LocaleChoice[] {
  const { locales } = useSession();
  if (!target.type.localized) return [];
  const known: readonly OtherLocale[] = source
    ? [...source.otherLocales, { id: source.id, locale: source.locale ?? '' }]
    : (entry?.otherLocales ?? []);
  return locales.map((locale) => choiceOf(target, locale, known, entry?.id));
}
