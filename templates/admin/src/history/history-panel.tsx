/** The button beside a form that opens the history of its entry. */
import HistoryIcon from '@mui/icons-material/History';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import type { EntryTarget } from '../entry/entry-target.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { useHasHistory } from './versions.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
  /** Whether the form has changes that are not saved: a version can't be restored over them. */
  readonly isDirty: boolean;
  readonly onRestored: (entry: LoadedEntry) => void;
  readonly onReload: () => void;
}

export function HistoryPanel(props: Props) {
  const translate = useTranslate();
  const hasHistory = useHasHistory(props.target.type);
  const [isOpen, setIsOpen] = useState(false);
  if (!hasHistory) return null;
  return (
    <>
      <Button size="small" startIcon={<HistoryIcon />} onClick={() => setIsOpen(true)}>
        {translate('history.title')}
      </Button>
      {isOpen && <HistoryDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
