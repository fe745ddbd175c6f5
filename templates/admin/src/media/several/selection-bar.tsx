/** Selects several files of the library, and what can be done with them together. */
import ChecklistIcon from '@mui/icons-material/Checklist';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { FILE_CHANGES } from '../../../../runtime/src/contract/limits.ts';
import { useMay } from '../../app/session.ts';
import { useHasFolders } from '../folders/folders.ts';
import { useHasTags } from '../tags/tags.ts';
import type { MediaFile } from '../media-file.ts';
import { MEDIA_KEY } from '../media-search.ts';

const DIALOGS = {
  texts: lazy(() => import('./texts-dialog.tsx')),
  move: lazy(() => import('./move-dialog.tsx')),
  tags: lazy(() => import('./tags-dialog.tsx')),
};

interface Props {
  /** Undefined while files are opened, not selected. */
  readonly selected: readonly MediaFile[] | undefined;
  readonly onSelect: (selected: readonly MediaFile[] | undefined) => void;
}

function Selected({ selected, onSelect }: Props & { readonly selected: readonly MediaFile[] }) {
  const translate = useTranslate();
  const client = useQueryClient();
  const notify = useNotify();
  const hasFolders = useHasFolders();
  const hasTags = useHasTags();
  const [dialog, setDialog] = useState<keyof typeof DIALOGS>();
  const Shown = dialog && DIALOGS[dialog];
  const isPossible = selected.length > 0 && selected.length <= FILE_CHANGES;
  async function done(): Promise<void> {
    setDialog(undefined);
    onSelect(undefined);
    notify('entry.saved', { type: 'success' });
    await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
  }
  return (
    <>
      <Typography role="status" variant="body2">
        {translate('media.selected', { smart_count: selected.length })}
        {selected.length > FILE_CHANGES && ` · ${translate('media.most', { most: FILE_CHANGES })}`}
      </Typography>
      <Button disabled={!isPossible} onClick={() => setDialog('texts')}>
        {translate('media.describe')}
      </Button>
      {hasFolders && (
        <Button disabled={!isPossible} onClick={() => setDialog('move')}>
          {translate('media.move')}
        </Button>
      )}
      {hasTags && (
        <Button disabled={!isPossible} onClick={() => setDialog('tags')}>
          {translate('media.tags')}
        </Button>
      )}
      <Button onClick={() => onSelect(undefined)}>{translate('media.endSelect')}</Button>
      {Shown && (
        <Suspense>
          <Shown files={selected} onDone={() => void done()} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}

export function SelectionBar({ selected, onSelect }: Props) {
  const translate = useTranslate();
  const may = useMay();
  if (!may('upload', 'upload')) return null;
  return (
    <Stack direction="row" sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
      {selected ? (
        <Selected selected={selected} onSelect={onSelect} />
      ) : (
        <Button size="small" startIcon={<ChecklistIcon />} onClick={() => onSelect([])}>
          {translate('media.select')}
        </Button>
      )}
    </Stack>
  );
}
