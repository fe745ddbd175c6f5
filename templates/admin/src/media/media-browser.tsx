/** The media library with search, a filter by kind, and upload. */
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { useTranslate } from 'react-admin';
import { ReadProblem } from '../app/read-problem.tsx';
import { useMay } from '../app/session.ts';
import { acceptOf, useAllowedFiles } from './allowed-files.ts';
import { TOP_FOLDER } from '../../../runtime/src/contract/upload-folders.ts';
import { useHasFolders } from './folders/folders.ts';
import type { MediaFile } from './media-file.ts';
import { MediaGrid } from './media-grid.tsx';
import { MEDIA_KINDS, useMediaSearch } from './media-search.ts';
import { UploadButton, UploadProgress } from './upload-button.tsx';
import { overStyles, useFileDrop } from './use-file-drop.ts';
import { TAG_LIMITS } from '../../../runtime/src/contract/upload-tags.ts';
import { useHasTags } from './tags/tags.ts';
import { useUploads } from './use-uploads.ts';

const TagsInput = lazy(() => import('./tags/tags-input.tsx'));
const FolderBar = lazy(() => import('./folders/folder-bar.tsx'));

interface Props {
  readonly isChosen: (file: MediaFile) => boolean;
  readonly onChoose: (file: MediaFile) => void;
  /** Kinds that the attribute allows; empty: all. */
  readonly allowedKinds?: readonly string[];
  readonly onUploaded?: (files: readonly MediaFile[]) => void;
}

export function MediaBrowser({ isChosen, onChoose, allowedKinds = [], onUploaded }: Props) {
  const translate = useTranslate();
  const may = useMay();
  const [word, setWord] = useState('');
  const [kind, setKind] = useState('');
  const kinds = allowedKinds.length > 0 ? allowedKinds : MEDIA_KINDS;
  const asked = useDeferredValue(word);
  const hasFolders = useHasFolders();
  const [folder, setFolder] = useState(TOP_FOLDER);
  const [isEverywhere, setIsEverywhere] = useState(false);
  const hasTags = useHasTags();
  const [tags, setTags] = useState<readonly string[]>([]);
  const isSearching = asked.trim() !== '' || kind !== '' || tags.length > 0;
  const search = useMediaSearch({
    word: asked.trim(),
    kinds: kind === '' ? allowedKinds : [kind],
    tags,
    // What is searched for may be in the folders below.
    folder: hasFolders && !(isSearching && isEverywhere) ? { id: folder, nested: isSearching } : undefined,
  });
  const { uploads, send, dismiss } = useUploads();
  const canUpload = may('upload', 'upload');

  const allowed = useAllowedFiles(allowedKinds);

  async function upload(given: readonly File[]): Promise<void> {
    const files = allowed(given);
    if (files.length === 0) return;
    const stored = await send(files, folder === TOP_FOLDER ? undefined : folder);
    if (stored.length > 0) onUploaded?.(stored);
  }
  const { isOver, handlers } = useFileDrop(canUpload ? (files) => void upload(files) : undefined);

  return (
    <Stack sx={[{ gap: 2, minHeight: '60vh' }, isOver && overStyles]} {...handlers}>
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 1.5, alignItems: { sm: 'center' } }}>
        <TextField
          type="search"
          size="small"
          label={translate('media.search')}
          value={word}
          onChange={({ target }) => setWord(target.value)}
          sx={{ flex: 1 }}
        />
        <TextField
          select
          size="small"
          label={translate('media.kind')}
          value={kind}
          onChange={({ target }) => setKind(target.value)}
          sx={{ minWidth: 150 }}
        >
          <MenuItem value="">{translate('media.all')}</MenuItem>
          {kinds.map((name) => (
            <MenuItem key={name} value={name}>
              {translate(`media.kinds.${name}`)}
            </MenuItem>
          ))}
        </TextField>
        {hasTags && (
          <Suspense>
            <TagsInput label={translate('media.tags')} value={tags} onChange={setTags} most={TAG_LIMITS.ask} isFilter />
          </Suspense>
        )}
        {hasFolders && folder !== TOP_FOLDER && isSearching && (
          <TextField
            select
            size="small"
            label={translate('media.where')}
            value={String(isEverywhere)}
            onChange={({ target }) => setIsEverywhere(target.value === 'true')}
            sx={{ minWidth: 150 }}
          >
            <MenuItem value="false">{translate('media.here')}</MenuItem>
            <MenuItem value="true">{translate('media.everywhere')}</MenuItem>
          </TextField>
        )}
        {canUpload && <UploadButton multiple accept={acceptOf(allowedKinds)} onFiles={(files) => void upload(files)} />}
      </Stack>
      {hasFolders && (
        <Suspense>
          <FolderBar folder={folder} onOpen={setFolder} />
        </Suspense>
      )}
      <UploadProgress uploads={uploads} dismiss={dismiss} />
      <Box>
        {!search.isEmpty && (
          <MediaGrid
            files={search.files}
            isChosen={isChosen}
            onChoose={onChoose}
            hasMore={search.hasMore && !search.error}
            readMore={search.readMore}
          />
        )}
        {search.error && <ReadProblem error={search.error} onRetry={search.retry} />}
      </Box>
    </Stack>
  );
}
