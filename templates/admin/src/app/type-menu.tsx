/** Menu of the types by group, with a filter: a schema may have hundreds of types. */
import Box from '@mui/material/Box';
import { alpha, type Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { memo, useMemo, useState } from 'react';
import { useSidebarState, useTranslate } from 'react-admin';
import { useLocation } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useExtraPages } from './extra-pages.ts';
import { usePlainLinks } from './plain-links.ts';

interface MenuEntry {
  readonly to: string;
  readonly label: string;
}

interface Group {
  readonly name: string;
  readonly entries: readonly MenuEntry[];
}

/** The filter is shown if there are more types than this. */
const MANY = 12;

function groupsOf(types: readonly ContentType[], words: { readonly lists: string; readonly singles: string }): Group[] {
  const groups = new Map<string, MenuEntry[]>();
  for (const type of types) {
    const name = type.group ?? (type.kind === 'single' ? words.singles : words.lists);
    const entries = groups.get(name) ?? [];
    entries.push({ to: `/${resourceOf(type)}`, label: type.displayName });
    groups.set(name, entries);
  }
  const isOwn = (name: string): boolean => name !== words.lists && name !== words.singles;
  const inOrder = [...[...groups.keys()].filter(isOwn).sort(), words.lists, words.singles];
  return inOrder.flatMap((name) => {
    const entries = groups.get(name);
    return entries ? [{ name, entries }] : [];
  });
}

/** Entries that contain `word`, given in lower case. Without a word, returns the same objects, so memoized groups don't render. */
function filtered(groups: readonly Group[], word: string): readonly Group[] {
  if (word === '') return groups;
  return groups
    .map(({ name, entries }) => ({ name, entries: entries.filter(({ label }) => label.toLowerCase().includes(word)) }))
    .filter(({ entries }) => entries.length > 0);
}

const menuStyles = {
  width: 240,
  py: 1,
  '& ul': { listStyle: 'none', p: 0, m: 0, mb: 1 },
  '& a': ({ typography, palette }: Theme) => ({
    ...typography.body2,
    display: 'block',
    padding: '6px 16px',
    color: palette.text.primary,
    textDecoration: 'none',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    '&:hover': { backgroundColor: palette.action.hover },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
    '&[aria-current]': { backgroundColor: alpha(palette.primary.main, 0.12) },
  }),
} as const;

interface GroupProps extends Group {
  /** The path of the current page, if this group has it. */
  readonly here: string | undefined;
  readonly hrefOf: (path: string) => string;
}

const MenuGroup = memo(({ name, entries, here, hrefOf }: GroupProps) => (
  <>
    <Typography variant="overline" component="h2" color="text.secondary" sx={{ px: 2, textTransform: 'none' }}>
      {name}
    </Typography>
    <ul aria-label={name}>
      {entries.map(({ to, label }) => (
        <li key={to}>
          <a href={hrefOf(to)} aria-current={to === here ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </>
));

export function TypeMenu() {
  const translate = useTranslate();
  const { pathname } = useLocation();
  const { model } = useModel();
  const [open, setOpen] = useSidebarState();
  const [word, setWord] = useState('');
  const extra = useExtraPages();
  const { hrefOf, onClick } = usePlainLinks(() => {
    if (matchMedia('(max-width: 899px)').matches) setOpen(false);
  });
  const words = { lists: translate('menu.lists'), singles: translate('menu.singles') };
  const groups = useMemo(() => groupsOf(model.types, words), [model, words.lists, words.singles]);
  const all = extra.length === 0 ? groups : [...groups, { name: translate('menu.server'), entries: extra }];
  return (
    <Box component="nav" aria-label={translate('menu.title')} hidden={!open} onClick={onClick} sx={menuStyles}>
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
      {filtered(all, word.trim().toLowerCase()).map(({ name, entries }) => (
        <MenuGroup
          key={name}
          name={name}
          entries={entries}
          here={entries.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to}
          hrefOf={hrefOf}
        />
      ))}
    </Box>
  );
}
