import { useLocale } from 'react-admin';
import { formatsLocale } from '../i18n/formats-locale.ts';

/** The time zone of the person, which texts and inputs are in. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns a function that writes a time in the person's language and time zone. `isLong`: with the name of the zone. */
export function useTimeText(): (time: string, isLong?: boolean) => string {
  const locale = formatsLocale(useLocale());
  return (time, isLong = false) =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      ...(isLong && { timeZoneName: 'short' }),
    }).format(new Date(time));
}
