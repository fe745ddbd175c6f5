import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslate } from 'react-admin';
import type { MediaFile } from './media-file.ts';
import { MediaThumb } from './media-thumb.tsx';

interface Props {
  readonly files: readonly MediaFile[];
  readonly isChosen: (file: MediaFile) => boolean;
  readonly onChoose: (file: MediaFile) => void;
  readonly hasMore: boolean;
  readonly readMore: () => void;
}

/** Grid of selectable files. */
export function MediaGrid({ files, isChosen, onChoose, hasMore, readMore }: Props) {
  const translate = useTranslate();
  return (
    <>
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'repeat(auto-fill, minmax(132px, 1fr))' }}>
        {files.map((file) => (
          <ButtonBase
            key={file.id}
            aria-pressed={isChosen(file)}
            onClick={() => onChoose(file)}
            sx={{
              flexDirection: 'column',
              alignItems: 'stretch',
              borderRadius: 1,
              p: 1,
              outline: isChosen(file) ? 2 : 1,
              outlineStyle: 'solid',
              outlineColor: (theme) => (isChosen(file) ? theme.palette.primary.main : theme.palette.divider),
              minWidth: 0,
            }}
          >
            <MediaThumb file={file} size="100%" isNamed />
            <Typography variant="caption" noWrap sx={{ mt: 0.5, textAlign: 'start' }}>
              {file.name}
            </Typography>
          </ButtonBase>
        ))}
      </Box>
      {files.length === 0 && <Typography sx={{ py: 3 }}>{translate('media.none')}</Typography>}
      {hasMore && (
        <Button onClick={readMore} sx={{ mt: 2 }}>
          {translate('media.more')}
        </Button>
      )}
    </>
  );
}
