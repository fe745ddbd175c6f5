/** The languages of the page; texts of the schema are in the language of whoever wrote it. */
import polyglot from 'ra-i18n-polyglot';
import { english } from './english.ts';

const LANGUAGES = [{ locale: 'en', name: 'English' }];

export const i18nProvider = polyglot(() => english, 'en', LANGUAGES);
