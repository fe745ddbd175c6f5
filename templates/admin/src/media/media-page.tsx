/** The media library. */
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { FileTrashButton } from '../trash/trash-button.tsx';
import { MediaBrowser } from './media-browser.tsx';
import { MediaDetails } from './media-details.tsx';
import type { MediaFile } from './media-file.ts';

export default function MediaPage() {
  const translate = useTranslate();
  const [chosen, setChosen] = useState<MediaFile>();
  return (
    <>
      <Title title={translate('media.title')} />
      <Box sx={{ mt: 2 }}>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', '&:empty': { display: 'none' } }}>
          <FileTrashButton />
        </Box>
        <MediaBrowser isChosen={({ id }) => id === chosen?.id} onChoose={setChosen} />
      </Box>
      {chosen && (
        <MediaDetails
          key={chosen.id}
          file={chosen}
          // Meanwhile, another file may have been opened, or none.
          onChange={(changed) => setChosen((open) => (open?.id === chosen.id ? changed : open))}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
