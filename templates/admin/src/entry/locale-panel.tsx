/** The locales of an entry: existing ones, those that can be added, and a selection of one to compare with. */
import AddIcon from '@mui/icons-material/Add';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { useMay, useSession } from '../app/session.ts';
import { useLocaleName } from '../list/content-locale.tsx';
import type { ContentType } from '../model/model.ts';
import type { LocaleChoice } from './locales.ts';

interface Props {
  readonly type: ContentType;
  readonly choices: readonly LocaleChoice[];
  readonly current: string | undefined;
  readonly compared: string;
  readonly onCompare: (locale: string) => void;
}

export function LocalePanel({ type, choices, current, compared, onCompare }: Props) {
  const translate = useTranslate();
  const may = useMay();
  const nameOf = useLocaleName();
  const { locales } = useSession();
  const isSingle = type.kind === 'single';
  if (locales.length < 2) return null;
  const others = choices.filter(({ locale, target }) => locale !== current && (isSingle || target.id !== undefined));
  return (
    <>
      <List dense aria-label={translate('entry.locales')}>
        {choices
          .filter(({ exists }) => exists || may(type.uid, 'create'))
          .map(({ locale, to, exists }) => (
            <ListItem key={locale} disablePadding>
              <ListItemButton
                component={Link}
                to={to}
                selected={locale === current}
                aria-current={locale === current ? 'true' : undefined}
                sx={{ borderRadius: 1 }}
              >
                <ListItemText primary={nameOf(locale)} />
                {!exists && <AddIcon fontSize="small" titleAccess={translate('entry.addLocale')} />}
              </ListItemButton>
            </ListItem>
          ))}
      </List>
      {others.length > 0 && (
        <TextField
          select
          size="small"
          fullWidth
          label={translate('entry.compareWith')}
          value={compared}
          onChange={({ target }) => onCompare(target.value)}
        >
          <MenuItem value="">{translate('entry.compareWithNone')}</MenuItem>
          {others.map(({ locale }) => (
            <MenuItem key={locale} value={locale}>
              {nameOf(locale)}
            </MenuItem>
          ))}
        </TextField>
      )}
    </>
  );
}
