/** A table in which each selected file gets its alternative text: one save for all. Loaded on demand. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useProblemText } from '../../app/problem-text.ts';
import { useBusy } from '../../app/use-busy.ts';
import { textOf } from '../../model/text-of.ts';
import type { MediaFile } from '../media-file.ts';
import { MediaThumb } from '../media-thumb.tsx';
import type { ChangeProps } from './change-dialog.tsx';
import { changeFiles } from './change-files.ts';

const TEXT_LENGTH = 255;

function Row({ file }: { readonly file: MediaFile }) {
  const translate = useTranslate();
  const { id, name, alternativeText } = file;
  return (
    <TableRow>
      <TableCell sx={{ width: 64, px: 1 }}>
        <MediaThumb file={{ ...file, alternativeText: '' }} size={48} />
      </TableCell>
      <TableCell sx={{ px: 1 }}>
        <Typography variant="caption" component="div" sx={{ mb: 0.5, overflowWrap: 'anywhere' }}>
          {name}
        </Typography>
        <TextField
          fullWidth
          size="small"
          name={String(id)}
          defaultValue={alternativeText ?? ''}
          slotProps={{
            htmlInput: { 'aria-label': translate('media.textOf', { name }), maxLength: TEXT_LENGTH, dir: 'auto' },
          }}
        />
      </TableCell>
    </TableRow>
  );
}

export default function TextsDialog({ files, onDone, onClose }: ChangeProps) {
  const translate = useTranslate();
  const problemText = useProblemText();
  const isSmall = useMediaQuery('(max-width: 599px)');
  const { isBusy, run } = useBusy();
  const [problem, setProblem] = useState<string>();

  async function save(data: FormData): Promise<void> {
    const changes = files.flatMap(({ id, alternativeText }) => {
      const text = textOf(data.get(String(id)));
      return text === (alternativeText ?? '') ? [] : [{ id, alternativeText: text }];
    });
    try {
      if (changes.length > 0) await changeFiles(changes);
      onDone();
    } catch (error) {
      setProblem(problemText(error));
    }
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    void run(() => save(data));
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" fullScreen={isSmall} aria-labelledby="texts-dialog">
      <Box component="form" onSubmit={submit} sx={{ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }}>
        <DialogTitle id="texts-dialog">{translate('media.describeTitle')}</DialogTitle>
        <DialogContent sx={{ px: { xs: 1, sm: 3 } }}>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          <Table size="small">
            <TableHead sx={{ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }}>
              <TableRow>
                <TableCell>{translate('media.kinds.images')}</TableCell>
                <TableCell>{translate('media.alternativeText')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {files.map((file) => (
                <Row key={file.id} file={file} />
              ))}
            </TableBody>
          </Table>
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained" loading={isBusy}>
            {translate('ra.action.save')}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
