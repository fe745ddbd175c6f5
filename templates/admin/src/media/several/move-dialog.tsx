/** Moves the selected files into a folder. Loaded on demand. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../../app/problem-text.ts';
import { ReadProblem } from '../../app/read-problem.tsx';
import { useBusy } from '../../app/use-busy.ts';
import { FolderSelect } from '../folders/folder-select.tsx';
import { TOP_FOLDER } from '../../../../runtime/src/contract/upload-folders.ts';
import { useFolders } from '../folders/folders.ts';
import type { MediaFile } from '../media-file.ts';
import { changeFiles } from './change-files.ts';

interface Props {
  readonly files: readonly MediaFile[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export default function MoveDialog({ files, onDone, onClose }: Props) {
  const translate = useTranslate();
  const problemText = useProblemText();
  const { folders, error, refetch } = useFolders();
  const { isBusy, run } = useBusy();
  const [folder, setFolder] = useState(TOP_FOLDER);
  const [problem, setProblem] = useState<string>();

  async function move(): Promise<void> {
    try {
      await changeFiles(files.map(({ id }) => ({ id, folder: folder === TOP_FOLDER ? null : folder })));
      onDone();
    } catch (refused) {
      setProblem(problemText(refused));
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby="move-dialog">
      <DialogTitle id="move-dialog">{translate('media.selected', { smart_count: files.length })}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 } }}>
        {problem !== undefined && (
          <Alert severity="error" sx={{ mb: 2 }}>
            {problem}
          </Alert>
        )}
        {error && <ReadProblem error={error} onRetry={() => void refetch()} />}
        {folders && (
          <FolderSelect label={translate('media.folder')} folders={folders} value={folder} onChange={setFolder} />
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" loading={isBusy} disabled={!folders} onClick={() => void run(move)}>
          {translate('media.move')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
