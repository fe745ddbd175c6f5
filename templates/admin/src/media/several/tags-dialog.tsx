/** Adds tags to the selected files, and removes others. Loaded on demand. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../../app/problem-text.ts';
import { useBusy } from '../../app/use-busy.ts';
import type { MediaFile } from '../media-file.ts';
import TagsInput from '../tags/tags-input.tsx';
import { changeFiles } from './change-files.ts';

interface Props {
  readonly files: readonly MediaFile[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function TagsDialog({ files, onDone, onClose }: Props) {
  const translate = useTranslate();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();
  const [addTags, setAddTags] = useState<readonly string[]>([]);
  const [removeTags, setRemoveTags] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();

  async function save(): Promise<void> {
    try {
      await changeFiles(files.map(({ id }) => ({ id, addTags, removeTags })));
      onDone();
    } catch (refused) {
      setProblem(problemText(refused));
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="tags-dialog">
      <DialogTitle id="tags-dialog">{translate('media.selected', { smart_count: files.length })}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 } }}>
        <Stack sx={{ gap: 2 }}>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          <TagsInput label={translate('media.addTags')} value={addTags} onChange={setAddTags} />
          <TagsInput label={translate('media.removeTags')} value={removeTags} onChange={setRemoveTags} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button
          variant="contained"
          loading={isBusy}
          disabled={addTags.length === 0 && removeTags.length === 0}
          onClick={() => void run(save)}
        >
          {translate('ra.action.save')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
