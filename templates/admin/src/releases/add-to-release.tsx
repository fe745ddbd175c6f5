/** Adds an entry to a release, from its form. */
import PlaylistAddIcon from '@mui/icons-material/PlaylistAdd';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import type { EntryTarget } from '../entry/entry-target.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { isOpen, type ReleaseAction, useChangeReleases, useHasReleases, useReleases } from './releases.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
}

/** The value of the choice of a new release. */
const NEW = 'new';

function AddDialog({ target, entry, onClose }: Props & { readonly onClose: () => void }) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const may = useMay();
  const { data: releases = [] } = useReleases();
  const { create, update } = useChangeReleases();
  const { isBusy, run } = useBusy();
  const open = releases.filter(isOpen);
  const canCreate = may('releases', 'create');
  const canUpdate = may('releases', 'update');
  const choices = canUpdate ? open : [];
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState('');
  const [action, setAction] = useState<ReleaseAction>('publish');
  const value = chosen ?? (choices[0] ? String(choices[0].id) : NEW);
  const release = choices.find(({ id }) => String(id) === value);

  async function add(): Promise<void> {
    const item = { type: target.type.uid, id: entry.id, action };
    const others = (release?.items ?? []).filter(({ type, id }) => type !== item.type || id !== item.id);
    try {
      if (release) await update(release.id, { items: [...others, item], version: release.version });
      else await create({ name, items: [item] });
      notify('releases.added', { type: 'success' });
      onClose();
    } catch (error) {
      notify(problemText(error), { type: 'error' });
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="add-to-release">
      <DialogTitle id="add-to-release">{translate('releases.add')}</DialogTitle>
      <DialogContent>
        <Stack sx={{ gap: 2, pt: 1 }}>
          <TextField
            select
            label={translate('releases.release')}
            value={value}
            onChange={({ target: { value: next } }) => setChosen(next)}
          >
            {choices.map(({ id, name: of }) => (
              <MenuItem key={id} value={String(id)}>
                {of}
              </MenuItem>
            ))}
            {canCreate && <MenuItem value={NEW}>{translate('releases.newOne')}</MenuItem>}
          </TextField>
          {!release && (
            <TextField
              label={translate('releases.name')}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
          <TextField
            select
            label={translate('releases.action')}
            value={action}
            onChange={({ target: { value: next } }) => setAction(next === 'unpublish' ? next : 'publish')}
          >
            <MenuItem value="publish">{translate('entry.publish')}</MenuItem>
            <MenuItem value="unpublish">{translate('entry.unpublish')}</MenuItem>
          </TextField>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          loading={isBusy}
          disabled={!release && name.trim() === ''}
          onClick={() => void run(add)}
        >
          {translate('ra.action.add')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function AddToRelease({ target, entry }: Props) {
  const translate = useTranslate();
  const may = useMay();
  const hasReleases = useHasReleases();
  const [isOpened, setIsOpened] = useState(false);
  const isPossible = hasReleases && target.type.schedules === true;
  if (!isPossible || !(may('releases', 'update') || may('releases', 'create'))) return null;
  return (
    <>
      <Button size="small" startIcon={<PlaylistAddIcon />} onClick={() => setIsOpened(true)}>
        {translate('releases.addTo')}
      </Button>
      {isOpened && <AddDialog target={target} entry={entry} onClose={() => setIsOpened(false)} />}
    </>
  );
}
