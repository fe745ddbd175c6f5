/** The locale whose entries the lists show. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useEffect } from 'react';
import { useLocale, useStore, useTranslate } from 'react-admin';
import { useSearchParams } from 'react-router';
import { useSession } from '../app/session.ts';
import type { ContentType } from '../model/model.ts';
import { useWholeAddress } from './use-list-view.ts';

/** Returns the display name of a locale code: `fr` → `French`. */
export function useLocaleName(): (code: string) => string {
  const locale = useLocale();
  const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' });
  return (code) => names.of(code) ?? code;
}

/** The locale in the URL, otherwise the one that was chosen last. */
export function useContentLocale(): [string | undefined, (locale: string) => void] {
  const { locales } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const [chosen, setChosen] = useStore<string | undefined>('content-locale');
  const known = [parameters.get('locale') ?? '', chosen ?? ''].find((locale) => locales.includes(locale));
  function choose(locale: string): void {
    setChosen(locale);
    setParameters((others) => withLocale(others, locale), { replace: true });
  }
  return [known ?? locales[0], choose];
}

function withLocale(parameters: URLSearchParams, locale: string): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  changed.set('locale', locale);
  return changed;
}

/** The locale of a list, which is added to its URL: react-admin only keeps there what it knows. */
export function useListLocale(type: ContentType): string | undefined {
  const { locales } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const [locale] = useContentLocale();
  const whole = useWholeAddress(type);
  const isAdded = type.localized && locales.length > 1 && locale !== undefined && parameters.get('locale') !== locale;
  useEffect(() => {
    if (isAdded) setParameters(withLocale(whole(parameters), locale), { replace: true });
  }, [isAdded, locale]);
  return locale;
}

export function ContentLocaleSelect() {
  const translate = useTranslate();
  const nameOf = useLocaleName();
  const { locales } = useSession();
  const [locale, setLocale] = useContentLocale();
  return (
    <TextField
      select
      size="small"
      label={translate('entry.locale')}
      value={locale ?? ''}
      onChange={(event) => setLocale(event.target.value)}
      sx={{ minWidth: 130 }}
    >
      {locales.map((code) => (
        <MenuItem key={code} value={code}>
          {nameOf(code)}
        </MenuItem>
      ))}
    </TextField>
  );
}
