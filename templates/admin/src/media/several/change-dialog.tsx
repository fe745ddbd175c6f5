/** A dialog that changes the selected files: its title, what was refused, and its buttons. */
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { type ReactNode, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../../app/problem-text.ts';
import { useBusy } from '../../app/use-busy.ts';
import type { MediaFile } from '../media-file.ts';
import { changeFiles, type FileChange } from './change-files.ts';

/** What is done with the selected files. */
export interface ChangeProps {
  readonly files: readonly MediaFile[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface Props extends ChangeProps {
  readonly id: string;
  /** The text of its button. */
  readonly action: string;
  /** What becomes of each file; undefined while nothing is chosen. */
  readonly change: Omit<FileChange, 'id'> | undefined;
  readonly children: ReactNode;
}

export function ChangeDialog({ id, files, action, change, onDone, onClose, children }: Props) {
  const translate = useTranslate();
  const problemText = useProblemText();
  const { isBusy, run } = useBusy();
  const [problem, setProblem] = useState<string>();

  async function save(): Promise<void> {
    try {
      await changeFiles(files.map((file) => ({ ...change, id: file.id })));
      onDone();
    } catch (refused) {
      setProblem(problemText(refused));
    }
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{translate('media.selected', { smart_count: files.length })}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 } }}>
        <Stack sx={{ gap: 2 }}>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          {children}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" loading={isBusy} disabled={change === undefined} onClick={() => void run(save)}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
