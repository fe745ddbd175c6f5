/** The entries that were edited last, drafts, and what has changed since it was published. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import type { Theme } from '@mui/material/styles';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import { resourceOf } from '../model/model.ts';
import { useTimeText } from '../schedule/time-text.ts';
import { type Kind, MAX_TYPES, useKinds, useWork, type WorkItem } from './recent-work.ts';

const itemStyles = {
  m: 0,
  p: 0,
  listStyle: 'none',
  '& li + li': { borderTop: 1, borderColor: 'divider' },
  '& a': ({ palette }: Theme) => ({
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    columnGap: '12px',
    padding: '10px 16px',
    color: palette.text.primary,
    textDecoration: 'none',
    '&:hover': { backgroundColor: palette.action.hover },
    '&:focus-visible': { outline: `2px solid ${palette.primary.main}`, outlineOffset: -2 },
  }),
} as const;

function WorkRow({ item: { type, id, title, isDraft, updatedAt } }: { readonly item: WorkItem }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  return (
    <li>
      <Link to={`/${resourceOf(type)}/${id}`}>
        <Typography component="span" sx={{ flex: '1 1 200px', minWidth: 0, fontWeight: 500, overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        {isDraft && <Chip component="span" size="small" variant="outlined" label={translate('entry.draft')} />}
        <Typography component="span" variant="body2" color="text.secondary">
          {translate('home.at', { name: type.displayName, time: timeText(updatedAt) })}
        </Typography>
      </Link>
    </li>
  );
}

interface Props {
  readonly kind: Kind;
  readonly isCut: boolean;
}

function WorkList({ kind, isCut }: Props) {
  const translate = useTranslate();
  const { data } = useWork(kind);
  if (!data) return <Skeleton variant="rounded" height={220} sx={{ m: 2 }} />;
  const { items, failed } = data;
  const names = failed.map(({ displayName }) => displayName).join(', ');
  return (
    <>
      {failed.length > 0 && <Alert severity="warning">{translate('home.failed', { names })}</Alert>}
      {items.length === 0 && failed.length === 0 && (
        <Typography sx={{ p: 3, color: 'text.secondary' }}>{translate('home.nothing')}</Typography>
      )}
      <Box component="ul" aria-label={translate(`home.${kind}`)} sx={itemStyles}>
        {items.map((item) => (
          <WorkRow key={`${item.type.uid} ${item.id}`} item={item} />
        ))}
      </Box>
      {isCut && (
        <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
          {translate('home.cut', { count: MAX_TYPES })}
        </Typography>
      )}
    </>
  );
}

interface TabsProps {
  readonly kinds: readonly Props[];
  readonly shown: Kind;
  readonly onChoose: (kind: Kind) => void;
}

function WorkTabs({ kinds, shown, onChoose }: TabsProps) {
  const translate = useTranslate();
  if (kinds.length < 2) return null;
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={shown}
      aria-labelledby="home-work"
      onChange={(_event, kind: Kind | null) => kind && onChoose(kind)}
      sx={{ flexWrap: 'wrap' }}
    >
      {kinds.map(({ kind }) => (
        <ToggleButton key={kind} value={kind} sx={{ py: 0.5, textTransform: 'none' }}>
          {translate(`home.${kind}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

export function WorkPanel() {
  const translate = useTranslate();
  const kinds = useKinds();
  const [chosen, setChosen] = useState<Kind>();
  const shown = kinds.find(({ kind }) => kind === chosen) ?? kinds[0];
  if (!shown) return null;
  return (
    <Paper component="section" variant="outlined" aria-labelledby="home-work" sx={{ minWidth: 0, overflow: 'hidden' }}>
      <Stack
        direction="row"
        sx={{ p: 1.5, gap: 1, flexWrap: 'wrap', alignItems: 'center', borderBottom: 1, borderColor: 'divider' }}
      >
        <Typography id="home-work" component="h2" variant="h6" sx={{ flex: 1, pl: 0.5 }}>
          {translate('home.work')}
        </Typography>
        <WorkTabs kinds={kinds} shown={shown.kind} onChoose={setChosen} />
      </Stack>
      <WorkList key={shown.kind} {...shown} />
    </Paper>
  );
}
