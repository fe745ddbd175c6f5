/** The languages of the admin panel. Names and descriptions from the schema are not translated. */
import polyglot from 'ra-i18n-polyglot';
import { english } from './english.ts';

const LANGUAGES = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
];

/** The browser's language; the default until the user selects another. */
const preferred = navigator.language.startsWith('de') ? 'de' : 'en';

/** Creates react-admin's i18n provider. Texts other than English are loaded on demand. */
export async function openI18n() {
  const { german } = preferred === 'de' ? await import('./german.ts') : { german: undefined };
  const provider = polyglot(
    (locale) => {
      if (locale === 'en') return english;
      return german ?? import('./german.ts').then((module) => module.german);
    },
    preferred,
    LANGUAGES,
  );
  document.documentElement.lang = preferred;
  return {
    ...provider,
    async changeLocale(locale: string): Promise<void> {
      await provider.changeLocale(locale);
      // Screen readers choose their pronunciation by this.
      document.documentElement.lang = locale;
    },
  };
}
