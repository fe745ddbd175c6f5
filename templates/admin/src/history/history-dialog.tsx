/** The versions of an entry, what differs between one of them and the entry as it is, and its restoration. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import List from '@mui/material/List';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemText from '@mui/material/ListItemText';
import { useState } from 'react';
import { HttpError, useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useBusy } from '../app/use-busy.ts';
import { SideNames } from '../entry/difference-value.tsx';
import { DifferenceList } from '../entry/differences-panel.tsx';
import { EntryProblem } from '../entry/entry-problem.tsx';
import type { EntryTarget } from '../entry/entry-target.ts';
import type { LoadedEntry } from '../entry/load-entry.ts';
import { useWriteRights } from '../entry/write-rights.ts';
import { useTimeText } from '../schedule/time-text.ts';
import { useCompared, useHistory, useRestore, type Version } from './versions.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
  readonly isDirty: boolean;
  readonly onRestored: (entry: LoadedEntry) => void;
  /** Reads the entry again, which someone else has changed. */
  readonly onReload: () => void;
  readonly onClose: () => void;
}

/** The older version is in the place of the published one. */
const SIDES = { published: 'history.former', draft: 'history.now' } as const;

function useAuthor(): (version: Version) => string {
  const translate = useTranslate();
  return ({ by }) => by.name ?? translate(`history.by.${by.kind}`, { _: by.kind });
}

interface VersionListProps extends Pick<Props, 'target' | 'entry'> {
  readonly chosen: number | undefined;
  readonly onChoose: (version: number) => void;
}

function VersionList({ target, entry, chosen, onChoose }: VersionListProps) {
  const translate = useTranslate();
  const timeText = useTimeText();
  const author = useAuthor();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHistory(target, entry);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  const versions = data.pages.flatMap((page) => page.data);
  return (
    <Box sx={{ minWidth: 0 }}>
      <List component="div" role="group" dense disablePadding aria-label={translate('history.versions')}>
        {versions.map((one) => (
          <ListItemButton
            key={one.version}
            selected={one.version === chosen}
            aria-pressed={one.version === chosen}
            onClick={() => onChoose(one.version)}
          >
            <ListItemText
              primary={translate(`history.action.${one.action}`, { _: one.action })}
              secondary={`${timeText(one.at)} · ${author(one)}`}
            />
          </ListItemButton>
        ))}
      </List>
      {hasNextPage && (
        <Button size="small" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {translate('history.more')}
        </Button>
      )}
    </Box>
  );
}

function Compared({ target, entry, version }: Pick<Props, 'target' | 'entry'> & { readonly version: number }) {
  const { data, error, refetch } = useCompared(target, entry, version);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  return (
    <SideNames value={SIDES}>
      <DifferenceList type={target.type} versions={data} equal="history.equal" />
    </SideNames>
  );
}

export function HistoryDialog({ target, entry, isDirty, onRestored, onReload, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const restore = useRestore(target);
  const busy = useBusy();
  const { canSave } = useWriteRights(target.type, entry);
  const [chosen, setChosen] = useState<number>();

  async function restoreChosen(version: number): Promise<void> {
    try {
      onRestored(await restore(entry, version));
      notify('history.restored', { type: 'success' });
    } catch (error) {
      const isConflict = error instanceof HttpError && error.status === 412;
      notify(isConflict ? translate('history.conflict') : problemText(error), { type: 'error' });
      if (isConflict) onReload();
    }
    onClose();
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby="history-title">
      <DialogTitle id="history-title">{translate('history.title')}</DialogTitle>
      <DialogContent>
        <Box
          sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '260px minmax(0, 1fr)' } }}
        >
          <VersionList target={target} entry={entry} chosen={chosen} onChoose={setChosen} />
          <Box sx={{ minWidth: 0 }}>
            {chosen === undefined ? (
              <Alert severity="info">{translate('history.choose')}</Alert>
            ) : (
              <Compared key={chosen} target={target} entry={entry} version={chosen} />
            )}
          </Box>
        </Box>
      </DialogContent>
      <DialogActions>
        {canSave && isDirty && (
          <Box component="span" sx={{ color: 'text.secondary', flex: 1, pl: 2 }}>
            {translate('history.saveFirst')}
          </Box>
        )}
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
        {canSave && (
          <Button
            variant="contained"
            disabled={chosen === undefined || isDirty}
            loading={busy.isBusy}
            onClick={() => void busy.run(() => restoreChosen(chosen ?? 0))}
          >
            {translate('history.restore')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
