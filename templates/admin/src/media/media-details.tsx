/** Details of a file, which can be edited, replaced or deleted. */
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Drawer from '@mui/material/Drawer';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { Confirm, useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useMay } from '../app/session.ts';
import { useBusy } from '../app/use-busy.ts';
import { useModel } from '../model/model-context.tsx';
import { textOf } from '../model/text-of.ts';
import { ask } from '../rest/request.ts';
import { useHasFolders } from './folders/folders.ts';
import type { View } from './focus/image-view.tsx';
import { kindOf, type MediaFile } from './media-file.ts';
import { MEDIA_KEY } from './media-search.ts';
import { MediaThumb } from './media-thumb.tsx';
import { MediaUses } from './media-uses.tsx';
import { useHasTags } from './tags/tags.ts';
import { UploadButton } from './upload-button.tsx';
import { uploadFile } from './upload-file.ts';

const ImageView = lazy(() => import('./focus/image-view.tsx'));
const TagsInput = lazy(() => import('./tags/tags-input.tsx'));
const FileFolder = lazy(() => import('./folders/file-folder.tsx'));

interface Props {
  readonly file: MediaFile;
  /** Called with the updated file; undefined after deletion. */
  readonly onChange: (file: MediaFile | undefined) => void;
  readonly onClose: () => void;
}

const TEXTS = ['name', 'alternativeText', 'caption'] as const;

function factsOf({ mime, size, width, height }: MediaFile): string {
  const pixels = typeof width === 'number' && typeof height === 'number' ? ` · ${width} × ${height}` : '';
  return `${mime}${size === undefined ? '' : ` · ${size} kB`}${pixels}`;
}

/** The parts of a view that differ from those of the file. */
function changesOf({ focalPoint, crop }: View, file: MediaFile): Partial<View> {
  const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other ?? null);
  return {
    ...(differs(focalPoint, file.focalPoint) && { focalPoint }),
    ...(differs(crop, file.crop) && { crop }),
  };
}

/** What `further` doesn't have stays as it is. */
async function saveInfo(
  file: MediaFile,
  data: FormData,
  further: Partial<View> & Pick<MediaFile, 'tags'>,
): Promise<MediaFile> {
  const form = new FormData();
  const texts = Object.fromEntries(TEXTS.map((name) => [name, textOf(data.get(name))]));
  form.append('fileInfo', JSON.stringify({ ...texts, ...further }));
  const answer = await ask<MediaFile | MediaFile[]>({
    method: 'POST',
    path: 'upload',
    query: { id: file.id },
    body: form,
  });
  return [answer].flat()[0] ?? file;
}

function useFileActions({ file, onChange }: Props) {
  const client = useQueryClient();
  const notify = useNotify();
  const textOf = useProblemText();
  const [problem, setProblem] = useState<string>();
  const busy = useBusy();
  return {
    problem,
    isBusy: busy.isBusy,
    run: (work: () => Promise<MediaFile | undefined>, message: string) =>
      busy.run(async () => {
        setProblem(undefined);
        try {
          onChange(await work());
          notify(message, { type: 'success' });
        } catch (error) {
          setProblem(textOf(error));
        }
        await client.invalidateQueries({ queryKey: [MEDIA_KEY] });
      }),
    async remove(): Promise<undefined> {
      await ask({ method: 'DELETE', path: `upload/files/${file.id}` });
    },
  };
}

/** The file as it looks, or its image with `children`, if there are any. */
function Shown({ file, children }: { readonly file: MediaFile; readonly children: ReactNode }) {
  if (kindOf(file) !== 'image') return <MediaThumb file={file} size={120} />;
  if (children) return <Suspense>{children}</Suspense>;
  return (
    <Box
      component="img"
      src={file.url}
      alt={file.alternativeText ?? file.name}
      sx={{ maxWidth: 1, maxHeight: 320, objectFit: 'contain', borderRadius: 1 }}
    />
  );
}

export function MediaDetails(props: Props) {
  const { file, onClose } = props;
  const translate = useTranslate();
  const may = useMay();
  const { problem, isBusy, run, remove } = useFileActions(props);
  const [isAsking, setIsAsking] = useState(false);
  const canChange = may('upload', 'upload');
  const hasFolders = useHasFolders();
  const { focalPoints = false, crops = false } = useModel().model.upload ?? {};
  const [view, setView] = useState<View>({ focalPoint: file.focalPoint ?? null, crop: file.crop ?? null });
  const hasTags = useHasTags();
  const [tags, setTags] = useState(file.tags ?? []);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const areSame = JSON.stringify(tags) === JSON.stringify(file.tags ?? []);
    const further = { ...changesOf(view, file), ...(!areSame && { tags }) };
    void run(() => saveInfo(file, data, further), 'entry.saved');
  }
  return (
    <Drawer anchor="right" open onClose={onClose} slotProps={{ paper: { role: 'dialog', 'aria-label': file.name } }}>
      <Box sx={{ p: 3, width: { xs: '100vw', sm: 400 }, boxSizing: 'border-box' }}>
        <Stack component="form" sx={{ gap: 2 }} onSubmit={submit}>
          {problem !== undefined && <Alert severity="error">{problem}</Alert>}
          <Shown file={file}>
            {(focalPoints || crops) && file.width && (
              <ImageView
                file={file}
                has={{ focalPoints, crops }}
                value={view}
                onChange={setView}
                readOnly={!canChange}
              />
            )}
          </Shown>
          <Typography variant="body2" color="text.secondary">
            {factsOf(file)}
          </Typography>
          {TEXTS.map((name) => (
            <TextField
              key={name}
              name={name}
              label={translate(`media.${name}`)}
              defaultValue={file[name] ?? ''}
              slotProps={{ input: { readOnly: !canChange }, htmlInput: { dir: 'auto' } }}
            />
          ))}
          {hasTags && (
            <Suspense>
              <TagsInput label={translate('media.tags')} value={tags} onChange={setTags} readOnly={!canChange} />
            </Suspense>
          )}
          {hasFolders && (
            <Suspense>
              <FileFolder file={file.id} />
            </Suspense>
          )}
          <Button component="a" href={file.url} target="_blank" rel="noreferrer">
            {translate('media.open')}
          </Button>
          {canChange && (
            <>
              <Button type="submit" variant="contained" loading={isBusy}>
                {translate('ra.action.save')}
              </Button>
              <UploadButton
                multiple={false}
                label={translate('media.replace')}
                disabled={isBusy}
                onFiles={([other]) => {
                  if (other) void run(() => uploadFile(other, () => {}, { replaced: file.id }), 'entry.saved');
                }}
              />
            </>
          )}
          <MediaUses file={file.id} />
          {may('upload', 'destroy') && (
            <Button color="error" disabled={isBusy} onClick={() => setIsAsking(true)}>
              {translate('ra.action.delete')}
            </Button>
          )}
        </Stack>
      </Box>
      <Confirm
        isOpen={isAsking}
        title={file.name}
        content={translate('media.deleteFile')}
        onConfirm={() => {
          setIsAsking(false);
          void run(remove, 'media.deleted');
        }}
        onClose={() => setIsAsking(false)}
      />
    </Drawer>
  );
}
