/** Menu of the types by group, with a filter: a schema may have hundreds of types. */
import Box from '@mui/material/Box';
import { alpha, type Theme } from '@mui/material/styles';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { memo, useMemo, useState } from 'react';
import { useSidebarState, useTranslate } from 'react-admin';
import { useLocation } from 'react-router';
import { type ContentType, pluralOf, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';
import { useExtraPages } from './extra-pages.ts';
import { usePlainLinks } from './plain-links.ts';
import { useTypeGroups } from './type-groups.ts';
import { TypeIcon } from './type-icon.tsx';

interface MenuEntry {
  readonly to: string;
  readonly label: string;
  readonly icon?: ContentType['icon'] | undefined;
}

interface Group {
  /** Identifies the group in every language. */
  readonly id: string;
  readonly name: string;
  readonly entries: readonly MenuEntry[];
}

/** The filter is shown if there are more types than this. */
const MANY = 12;

/** Entries that contain `word`, given in lower case. Without a word, returns the same objects, so memoized groups don't render. */
function filtered(groups: readonly Group[], word: string): readonly Group[] {
  if (word === '') return groups;
  return groups
    .map(({ entries, ...group }) => ({
      ...group,
      entries: entries.filter(({ label }) => label.toLowerCase().includes(word)),
    }))
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

interface GroupProps extends Omit<Group, 'id'> {
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
      {entries.map(({ to, label, icon }) => (
        <li key={to}>
          <a href={hrefOf(to)} aria-current={to === here ? 'page' : undefined}>
            <TypeIcon icon={icon} />
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
  const typeGroups = useTypeGroups();
  const groups = useMemo(
    () =>
      typeGroups.map(({ id, name, types }) => ({
        id,
        name,
        entries: types.map((type) => ({ to: `/${resourceOf(type)}`, label: pluralOf(type), icon: type.icon })),
      })),
    [typeGroups],
  );
  const server = { id: 'server', name: translate('menu.server'), entries: extra };
  const all = extra.length === 0 ? groups : [...groups, server];
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
      {filtered(all, word.trim().toLowerCase()).map(({ id, name, entries }) => (
        <MenuGroup
          key={id}
          name={name}
          entries={entries}
          here={entries.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to}
          hrefOf={hrefOf}
        />
      ))}
    </Box>
  );
}
