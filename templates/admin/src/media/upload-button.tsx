import UploadIcon from '@mui/icons-material/Upload';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import type { Uploads } from './use-uploads.ts';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  readonly multiple: boolean;
  readonly label?: string;
  /** The types that the browser's dialog offers; undefined: all. */
  readonly accept?: string | undefined;
  readonly disabled?: boolean;
}

export function UploadButton({ onFiles, multiple, label, accept, disabled = false }: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button startIcon={<UploadIcon />} variant="outlined" disabled={disabled} onClick={() => input.current?.click()}>
        {label ?? translate('media.upload')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        accept={accept}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

/** The progress of each upload, and errors until they are closed. */
export function UploadProgress({ uploads, dismiss }: Pick<Uploads, 'uploads' | 'dismiss'>) {
  const translate = useTranslate();
  return (
    <Stack sx={{ gap: 1 }} aria-live="polite">
      {uploads.map((upload) => {
        const { id, file, sent, isWaiting = false, problem } = upload;
        return problem === undefined ? (
          <Box key={id}>
            {isWaiting ? translate('media.waiting', { name: file.name }) : file.name}
            {/* Once everything is sent, the server still has to store it. */}
            <LinearProgress
              variant={sent < 1 ? 'determinate' : 'indeterminate'}
              value={sent * 100}
              aria-label={file.name}
            />
          </Box>
        ) : (
          <Alert
            key={id}
            severity="error"
            onClose={() => dismiss(upload)}
            slotProps={{ closeButton: { 'aria-label': translate('ra.action.close') } }}
          >
            {file.name}: {problem}
          </Alert>
        );
      })}
    </Stack>
  );
}
