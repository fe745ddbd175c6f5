/** The media library. */
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Title, useTranslate } from 'react-admin';
import { FileTrashButton } from '../trash/trash-button.tsx';
import { MediaBrowser } from './media-browser.tsx';
import { MediaDetails } from './media-details.tsx';
import type { MediaFile } from './media-file.ts';
import { SelectionBar } from './several/selection-bar.tsx';

export default function MediaPage() {
  const translate = useTranslate();
  const [chosen, setChosen] = useState<MediaFile>();
  const [selected, setSelected] = useState<readonly MediaFile[]>();
  const isSelected = ({ id }: MediaFile): boolean => selected?.some((file) => file.id === id) === true;
  function toggle(file: MediaFile): void {
    setSelected((all = []) => (isSelected(file) ? all.filter(({ id }) => id !== file.id) : [...all, file]));
  }
  return (
    <>
      <Title title={translate('media.title')} />
      <Box sx={{ mt: 2 }}>
        <Box sx={{ display: 'flex', justifyContent: 'flex-end', flexWrap: 'wrap', '&:empty': { display: 'none' } }}>
          <SelectionBar selected={selected} onSelect={setSelected} />
          <FileTrashButton />
        </Box>
        <MediaBrowser
          isChosen={selected ? isSelected : ({ id }) => id === chosen?.id}
          onChoose={selected ? toggle : setChosen}
        />
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
