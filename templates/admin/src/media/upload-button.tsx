import UploadIcon from '@mui/icons-material/Upload';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import { useRef } from 'react';
import { useTranslate } from 'react-admin';
import type { Upload } from './use-uploads.ts';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  readonly multiple: boolean;
  readonly label?: string;
}

export function UploadButton({ onFiles, multiple, label }: Props) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button startIcon={<UploadIcon />} variant="outlined" onClick={() => input.current?.click()}>
        {label ?? translate('media.upload')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={multiple}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </>
  );
}

/** The progress of each upload, and the server's errors. */
export function UploadProgress({ uploads }: { readonly uploads: readonly Upload[] }) {
  const shown = uploads.filter(({ sent, problem }) => sent < 1 || problem !== undefined);
  return (
    <Stack sx={{ gap: 1 }} aria-live="polite">
      {shown.map(({ name, sent, problem }) =>
        problem === undefined ? (
          <Box key={name}>
            {name}
            <LinearProgress variant="determinate" value={sent * 100} aria-label={name} />
          </Box>
        ) : (
          <Alert key={name} severity="error">
            {name}: {problem}
          </Alert>
        ),
      )}
    </Stack>
  );
}
