/** The languages of the page; texts of the schema are in the language of whoever wrote it. */
import polyglot from 'ra-i18n-polyglot';
import { english } from './english.ts';

const LANGUAGES = [
  { locale: 'en', name: 'English' },
  { locale: 'de', name: 'Deutsch' },
];

/** The one that the browser asks for, until somebody chooses another. */
const preferred = navigator.language.startsWith('de') ? 'de' : 'en';

/** Chooses the language; texts of others than English are loaded where they are wanted. */
export async function openI18n() {
  const { german } = preferred === 'de' ? await import('./german.ts') : { german: undefined };
  return polyglot(
    (locale) => {
      if (locale === 'en') return english;
      return german ?? import('./german.ts').then((module) => module.german);
    },
    preferred,
    LANGUAGES,
  );
}
