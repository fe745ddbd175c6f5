/** The locale whose entries the lists show. */
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useLocale, useStore, useTranslate } from 'react-admin';
import { useSession } from '../app/session.ts';

/** Returns the display name of a locale code: `fr` → `French`. */
export function useLocaleName(): (code: string) => string {
  const locale = useLocale();
  const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' });
  return (code) => names.of(code) ?? code;
}

export function useContentLocale(): [string | undefined, (locale: string) => void] {
  const { locales } = useSession();
  const [chosen, setChosen] = useStore<string | undefined>('content-locale');
  return [chosen !== undefined && locales.includes(chosen) ? chosen : locales[0], setChosen];
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
