import Chip from '@mui/material/Chip';
import { useTranslate } from 'react-admin';
import type { EntryState } from '../rest/entry-state.ts';

const COLORS = { draft: 'default', published: 'success', modified: 'primary' } as const;

/** The state of an entry, in lists and forms. */
export function StateChip({ state }: { readonly state: EntryState }) {
  const translate = useTranslate();
  return <Chip size="small" variant="outlined" color={COLORS[state]} label={translate(`entry.${state}`)} />;
}
