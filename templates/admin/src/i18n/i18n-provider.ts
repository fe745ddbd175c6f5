/** The languages of the admin panel, and those that a team adds. The schema's names and descriptions are in those that it has. */
import polyglot from 'ra-i18n-polyglot';
import type { I18nProvider } from 'react-admin';
import type { Panel } from '../../../runtime/src/contract/panel-part.ts';
import { PANEL_LANGUAGES, type PanelLanguage } from '../../../runtime/src/contract/panel-texts.ts';
import { directionOf } from './direction.ts';
import { english } from './english.ts';
import type { Texts } from './texts.ts';
import { withEnglish } from './with-english.ts';

const NAMES: Readonly<Record<PanelLanguage, string>> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

type PanelTexts = Texts<typeof english>;

export interface Languages extends I18nProvider {
  /** Adds the languages of the team. */
  add(own: Panel['languages']): Promise<void>;
}

/** English texts are always there; all others are loaded on demand. */
const LOADED: Readonly<Record<string, () => Promise<PanelTexts>>> = {
  de: async () => (await import('./german.ts')).german,
  fr: async () => (await import('./french.ts')).french,
  es: async () => (await import('./spanish.ts')).spanish,
} satisfies Record<Exclude<PanelLanguage, 'en'>, unknown>;

/** The first of the browser's languages that is known; the default until the user selects another. */
function preferredOf(languages: readonly string[]): string {
  return (
    navigator.languages
      .flatMap((locale) => languages.filter((language) => [locale, locale.split('-')[0]].includes(language)))
      .at(0) ?? 'en'
  );
}

/** Screen readers choose their pronunciation by the language. */
function tellDocument(language: string): void {
  const root = document.documentElement;
  root.lang = language;
  root.dir = directionOf(language);
}

/** Marks values as texts of a direction of their own: a name in Latin letters would move what is around it. */
function isolated(values: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      // `_` is the text for a key that there is not.
      return [name, typeof value === 'string' && name !== '_' ? `\u2068${value}\u2069` : value];
    }),
  );
}

/** Creates react-admin's i18n provider. */
export async function openI18n(): Promise<Languages> {
  let own: NonNullable<Panel['languages']> = {};
  const known = PANEL_LANGUAGES.map((locale) => ({ locale: locale as string, name: NAMES[locale] }));
  const preferred = preferredOf(PANEL_LANGUAGES);
  const texts = (await LOADED[preferred]?.()) ?? english;
  const provider = polyglot(
    (locale) => {
      if (locale === preferred) return texts;
      const ofTeam = Object.hasOwn(own, locale) ? own[locale] : undefined;
      if (ofTeam) return withEnglish(english, ofTeam.texts);
      return Object.hasOwn(LOADED, locale) ? (LOADED[locale]?.() ?? english) : english;
    },
    preferred,
    known,
  );
  tellDocument(preferred);
  const changeLocale = async (locale: string): Promise<void> => {
    // A language that was selected once, and that the team has removed since.
    const there = known.some((one) => one.locale === locale) ? locale : preferred;
    await provider.changeLocale(there);
    tellDocument(there);
  };
  return {
    ...provider,
    translate: (key: string, values?: Record<string, unknown>) =>
      provider.translate(key, directionOf(provider.getLocale()) === 'rtl' ? isolated(values) : values),
    changeLocale,
    async add(languages = {}) {
      const added = Object.entries(languages).filter(([locale]) => !known.some((one) => one.locale === locale));
      if (added.length === 0) return;
      own = { ...own, ...Object.fromEntries(added) };
      known.push(...added.map(([locale, { name }]) => ({ locale, name })));
      await changeLocale(preferredOf(known.map(({ locale }) => locale)));
    },
  };
}
