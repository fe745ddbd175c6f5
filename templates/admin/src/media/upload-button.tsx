import UploadIcon from '@mui/icons-material/Upload';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import { visuallyHidden } from '@mui/utils';
import { useTranslate } from 'react-admin';
import type { Upload } from './use-uploads.ts';

interface Props {
  readonly onFiles: (files: readonly File[]) => void;
  readonly multiple: boolean;
  readonly label?: string;
}

export function UploadButton({ onFiles, multiple, label }: Props) {
  const translate = useTranslate();
  return (
    <Button component="label" startIcon={<UploadIcon />} variant="outlined">
      {label ?? translate('media.upload')}
      <Box
        component="input"
        type="file"
        multiple={multiple}
        sx={visuallyHidden}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
    </Button>
  );
}

/** How far each file is, and what the server says of those that it refuses. */
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
