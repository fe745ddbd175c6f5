/** The languages of the admin panel. The schema's names and descriptions are in those that it has. */
import polyglot from 'ra-i18n-polyglot';
import { PANEL_LANGUAGES, type PanelLanguage } from '../../../runtime/src/contract/panel-texts.ts';
import { english } from './english.ts';
import type { Texts } from './texts.ts';

const NAMES: Readonly<Record<PanelLanguage, string>> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

type PanelTexts = Texts<typeof english>;

/** English texts are always there; all others are loaded on demand. */
const LOADED: Readonly<Record<Exclude<PanelLanguage, 'en'>, () => Promise<PanelTexts>>> = {
  de: async () => (await import('./german.ts')).german,
  fr: async () => (await import('./french.ts')).french,
  es: async () => (await import('./spanish.ts')).spanish,
};

/** The first of the browser's languages that the panel has; the default until the user selects another. */
function preferredLanguage(): PanelLanguage {
  const known = navigator.languages.flatMap((locale) =>
    PANEL_LANGUAGES.filter((language) => locale.split('-')[0] === language),
  );
  return known[0] ?? 'en';
}

/** Creates react-admin's i18n provider. */
export async function openI18n() {
  const preferred = preferredLanguage();
  const texts = preferred === 'en' ? english : await LOADED[preferred]();
  const provider = polyglot(
    (locale) => {
      if (locale === preferred) return texts;
      return locale === 'en' ? english : LOADED[locale as keyof typeof LOADED]();
    },
    preferred,
    PANEL_LANGUAGES.map((locale) => ({ locale, name: NAMES[locale] })),
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
