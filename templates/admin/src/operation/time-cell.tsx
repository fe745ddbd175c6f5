import { useLocale } from 'react-admin';
import { formatsLocale } from '../i18n/formats-locale.ts';

/** Returns a function for the text of a time in ISO 8601. */
export function useTimeText(): (time: string) => string {
  const locale = formatsLocale(useLocale());
  return (time) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(time));
}
