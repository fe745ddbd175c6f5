/** Replaces the draft by what is published, after saying what gets lost. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useState } from 'react';
import { HttpError, useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import type { Busy } from '../app/use-busy.ts';
import { useDiscardDraft, useVersions } from './entry-draft.ts';
import type { EntryTarget } from './entry-target.ts';
import { DifferenceList } from './differences-panel.tsx';
import { EntryProblem } from './entry-problem.tsx';
import type { LoadedEntry } from './load-entry.ts';

interface Props {
  readonly target: EntryTarget;
  readonly entry: LoadedEntry;
  readonly busy: Busy;
  readonly onDiscarded: (entry: LoadedEntry) => void;
  /** Reads the entry again, which someone else has changed, or of which it is not known whether its draft was discarded. */
  readonly onReload: () => void;
}

function Lost({ target, entry }: Pick<Props, 'target' | 'entry'>) {
  const { data, error, refetch } = useVersions(target, entry);
  if (!data) return <EntryProblem error={error} onRetry={refetch} />;
  return <DifferenceList type={target.type} versions={data} />;
}

export function DiscardDraft({ target, entry, busy, onDiscarded, onReload }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const discardDraft = useDiscardDraft(target);
  const [isAsking, setIsAsking] = useState(false);

  async function discard(): Promise<void> {
    try {
      onDiscarded(await discardDraft(entry));
      notify('draft.discarded', { type: 'success' });
    } catch (error) {
      const isConflict = error instanceof HttpError && error.status === 412;
      notify(isConflict ? translate('draft.conflict') : problemText(error), { type: 'error' });
      onReload();
    }
    setIsAsking(false);
  }
  return (
    <>
      <Button color="inherit" disabled={busy.isBusy} onClick={() => setIsAsking(true)}>
        {translate('draft.discard')}
      </Button>
      {isAsking && (
        <Dialog open onClose={() => setIsAsking(false)} fullWidth maxWidth="sm" aria-labelledby="discard-draft">
          <DialogTitle id="discard-draft">{translate('draft.discardTitle')}</DialogTitle>
          <DialogContent>
            <DialogContentText sx={{ mb: 2 }}>{translate('draft.discardExplained')}</DialogContentText>
            <Lost target={target} entry={entry} />
          </DialogContent>
          <DialogActions>
            <Button onClick={() => setIsAsking(false)}>{translate('ra.action.cancel')}</Button>
            <Button variant="contained" color="error" loading={busy.isBusy} onClick={() => void busy.run(discard)}>
              {translate('draft.discard')}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
