import { useSession } from '../app/session.ts';
import { resourceOf } from '../model/model.ts';
import type { OtherLocale } from '../rest/rest-entry.ts';
import type { EntryTarget } from './entry-target.ts';
import type { LoadedEntry } from './load-entry.ts';

/** A locale that an entry has or could have. */
export interface LocaleChoice {
  readonly locale: string;
  readonly exists: boolean;
  /** Its screen, or that on which it is made. */
  readonly to: string;
  /** What is read of it. */
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
  // Of an entry that is in no locale yet, this only chooses one.
  const from = source === undefined ? '' : `&from=${source}`;
  const to = id === undefined ? `/${resource}/create?locale=${locale}${from}` : `/${resource}/${id}`;
  return { locale, exists: id !== undefined || source === undefined, to, target: { type, id, locale } };
}

/** All locales of the server, with those of the entry. `source`: what is read of the entry that a new one belongs to. */
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
