/** Choosing a file, or one whose import was interrupted. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import { UploadButton } from '../media/upload-button.tsx';
import { overStyles, useFileDrop } from '../media/use-file-drop.ts';
import { MAX_BYTES, MAX_ROWS } from './read-file.ts';
import type { Import } from './use-import.ts';

export function FileStep({ kept, open, forget }: Pick<Import, 'kept' | 'open' | 'forget'>) {
  const translate = useTranslate();
  const take = ([file]: readonly File[]): void => void (file && open(file));
  const { isOver, handlers } = useFileDrop(take);
  return (
    <Box {...handlers} sx={{ p: 4, textAlign: 'center', ...(isOver && overStyles) }}>
      {kept && (
        <Alert
          severity="info"
          sx={{ mb: 2, textAlign: 'start' }}
          action={
            <Button color="inherit" size="small" onClick={forget}>
              {translate('csv.forget')}
            </Button>
          }
        >
          {translate('csv.interrupted', { name: kept.fileName, count: kept.next })}
        </Alert>
      )}
      <UploadButton multiple={false} accept=".csv,.tsv,.txt,text/csv" label={translate('csv.choose')} onFiles={take} />
      <Typography variant="body2" color="text.secondary" sx={{ mt: 2 }}>
        {translate('csv.drop', { rows: MAX_ROWS, size: MAX_BYTES / 1024 / 1024 })}
      </Typography>
    </Box>
  );
}
