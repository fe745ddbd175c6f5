import Chip from '@mui/material/Chip';
import { useTranslate } from 'react-admin';
import { useTimeText } from '../schedule/time-text.ts';
import type { Release } from './releases.ts';

const COLORS = { open: 'default', planned: 'primary', published: 'success', reverted: 'default' } as const;

/** The state of a release: whether it is published, when it will be, or that it was refused. */
export function ReleaseStateChip({ release: { state, at, publishedAt, refusals } }: { readonly release: Release }) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const isRefused = state === 'open' && refusals.length > 0;
  const time = state === 'planned' ? at : publishedAt;
  const label = isRefused
    ? translate('releases.refused')
    : translate(`releases.${state}`, { time: time === null ? '' : timeText(time) });
  return <Chip size="small" variant="outlined" color={isRefused ? 'error' : COLORS[state]} label={label} />;
}
