/** The deleted entries of a type, or deleted files, each of which can be restored. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useBusy } from '../app/use-busy.ts';
import { nameOfPath } from '../entry/error-paths.ts';
import { EntryProblem } from '../entry/entry-problem.tsx';
import { useModel } from '../model/model-context.tsx';
import { useTimeText } from '../schedule/time-text.ts';
import { type Deletion, type Trash, useDeletions, useRestore } from './trash.ts';

interface Props {
  readonly trash: Trash;
}

function DeletedEntry({ trash, deletion }: Props & { readonly deletion: Deletion }) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const timeText = useTimeText();
  const index = useModel();
  const restore = useRestore(trash);
  const { isBusy, run } = useBusy();
  const { id, title = `#${id}`, locales, deletedAt, until } = deletion;
  const times = translate('trash.times', { deleted: timeText(deletedAt), until: timeText(until) });

  async function perform(): Promise<void> {
    try {
      await restore(deletion);
      notify('trash.restored', { type: 'success' });
    } catch (error) {
      const text = problemText(error, (path) => nameOfPath(path, trash.attributes, {}, index));
      notify(text, { type: 'error', autoHideDuration: null });
    }
  }
  return (
    <Stack component="li" direction="row" sx={{ gap: 1, py: 1, alignItems: 'center' }}>
      <Stack sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap>{title}</Typography>
        <Typography variant="body2" color="text.secondary">
          {locales ? `${locales.join(', ')} · ${times}` : times}
        </Typography>
      </Stack>
      <Button loading={isBusy} aria-label={translate('trash.restoreOne', { title })} onClick={() => void run(perform)}>
        {translate('trash.restore')}
      </Button>
    </Stack>
  );
}

export default function TrashDialog({ trash, onClose }: Props & { readonly onClose: () => void }) {
  const translate = useTranslate();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useDeletions(trash);
  const deletions = data?.pages.flat();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="trash-title">
      <DialogTitle id="trash-title">{translate('trash.of', { name: trash.name })}</DialogTitle>
      <DialogContent>
        <DialogContentText>{translate('trash.explained', { smart_count: trash.days })}</DialogContentText>
        {!deletions && <EntryProblem error={error} onRetry={refetch} />}
        {deletions?.length === 0 && <Typography sx={{ py: 2 }}>{translate('trash.empty')}</Typography>}
        <Stack component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
          {deletions?.map((deletion) => (
            <DeletedEntry key={deletion.key} trash={trash} deletion={deletion} />
          ))}
        </Stack>
        {hasNextPage && (
          <Button loading={isFetching} onClick={() => void fetchNextPage()}>
            {translate('trash.more')}
          </Button>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
