/** The types by their groups, to be filtered by a word: a schema may have hundreds. */
import Box from '@mui/material/Box';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { memo, useMemo, useState } from 'react';
import { useSidebarState, useTranslate } from 'react-admin';
import { Link, useLocation } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useExtraPages } from './extra-pages.ts';

interface MenuEntry {
  readonly to: string;
  readonly label: string;
}

interface Group {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
}

/** Fewer need no filter. */
const MANY = 12;

function groupsOf(types: readonly ContentType[], words: { readonly lists: string; readonly singles: string }): Group[] {
  const groups = new Map<string, MenuEntry[]>();
  for (const type of types) {
    const name = type.group ?? (type.kind === 'single' ? words.singles : words.lists);
    groups.set(name, [...(groups.get(name) ?? []), { to: `/${resourceOf(type)}`, label: type.displayName }]);
  }
  const isOwn = (name: string): boolean => name !== words.lists && name !== words.singles;
  const names = [...groups.keys()];
  const inOrder = [...names.filter(isOwn).sort(), words.lists, words.singles];
  return inOrder.flatMap((name) => {
    const entries = groups.get(name);
    return entries ? [{ name, entries }] : [];
  });
}

const MenuLink = memo(({ to, label, isHere }: MenuEntry & { readonly isHere: boolean }) => {
  const [, setOpen] = useSidebarState();
  const close = (): void => {
    if (matchMedia('(max-width: 899px)').matches) setOpen(false);
  };
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={Link}
        to={to}
        selected={isHere}
        aria-current={isHere ? 'page' : undefined}
        onClick={close}
        dense
      >
        <ListItemText primary={label} slotProps={{ primary: { noWrap: true } }} />
      </ListItemButton>
    </ListItem>
  );
});

export function TypeMenu() {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const { model } = useModel();
  const [open] = useSidebarState();
  const [word, setWord] = useState('');
  const extra = useExtraPages();
  const words = { lists: translate('menu.lists'), singles: translate('menu.singles') };
  const groups = useMemo(() => groupsOf(model.types, words), [model, words.lists, words.singles]);
  const all = extra.length === 0 ? groups : [...groups, { name: translate('menu.server'), entries: extra }];
  const fits = ({ label }: MenuEntry): boolean => label.toLowerCase().includes(word.trim().toLowerCase());
  const shown = all
    .map((group) => ({ ...group, entries: group.entries.filter(fits) }))
    .filter(({ entries }) => entries.length);
  return (
    <Box component="nav" aria-label={translate('menu.title')} hidden={!open} sx={{ width: 240, py: 1 }}>
      {model.types.length > MANY && (
        <Box sx={{ p: 1 }}>
          <TextField
            type="search"
            size="small"
            fullWidth
            label={translate('menu.filter')}
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
        </Box>
      )}
      {shown.map(({ name, entries }) => (
        <Box key={name}>
          <Typography variant="overline" component="h2" color="text.secondary" sx={{ px: 2, textTransform: 'none' }}>
            {name}
          </Typography>
          <List dense disablePadding aria-label={name} sx={{ mb: 1 }}>
            {entries.map((entry) => (
              <MenuLink
                key={entry.to}
                {...entry}
                isHere={pathname === entry.to || pathname.startsWith(`${entry.to}/`)}
              />
            ))}
          </List>
        </Box>
      ))}
    </Box>
  );
}
