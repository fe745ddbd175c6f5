import { textOf } from '../model/text-of.ts';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import type { FormEvent } from 'react';
import { useTranslate } from 'react-admin';

interface Props {
  readonly url: string;
  /** An empty URL removes the link. */
  readonly onSave: (url: string) => void;
  readonly onClose: () => void;
}

export function LinkDialog({ url, onSave, onClose }: Props) {
  const translate = useTranslate();
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // React events bubble through the portal to the form of the entry.
    event.stopPropagation();
    onSave(textOf(new FormData(event.currentTarget).get('url')).trim());
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="link-dialog">
      <form onSubmit={submit}>
        <DialogTitle id="link-dialog">{translate('text.link')}</DialogTitle>
        <DialogContent sx={{ '&&': { pt: 1 } }}>
          <TextField name="url" label={translate('text.url')} defaultValue={url} autoFocus fullWidth />
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
          <Button type="submit" variant="contained">
            {translate('ra.action.confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
