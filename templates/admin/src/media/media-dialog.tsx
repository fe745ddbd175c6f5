/** Dialog for choosing files from the media library. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';
import { useTranslate } from 'react-admin';
import { MediaBrowser } from './media-browser.tsx';
import type { MediaFile } from './media-file.ts';

interface Props {
  readonly isMultiple: boolean;
  readonly allowedKinds: readonly string[];
  readonly onChoose: (files: readonly MediaFile[]) => void;
  readonly onClose: () => void;
}

export default function MediaDialog({ isMultiple, allowedKinds, onChoose, onClose }: Props) {
  const translate = useTranslate();
  const isSmall = useMediaQuery('(max-width: 599px)');
  const [chosen, setChosen] = useState<readonly MediaFile[]>([]);
  const isChosen = ({ id }: MediaFile): boolean => chosen.some((file) => file.id === id);
  function toggle(file: MediaFile): void {
    if (!isMultiple) setChosen([file]);
    else setChosen(isChosen(file) ? chosen.filter(({ id }) => id !== file.id) : [...chosen, file]);
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="md" fullScreen={isSmall} aria-labelledby="media-dialog">
      <DialogTitle id="media-dialog">{translate('media.choose')}</DialogTitle>
      <DialogContent sx={{ '&&': { pt: 1 } }}>
        <MediaBrowser
          isChosen={isChosen}
          onChoose={toggle}
          allowedKinds={allowedKinds}
          onUploaded={(files) => setChosen((others) => (isMultiple ? [...others, ...files] : files.slice(0, 1)))}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('ra.action.cancel')}</Button>
        <Button variant="contained" disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
          {translate('media.take', { smart_count: chosen.length })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
