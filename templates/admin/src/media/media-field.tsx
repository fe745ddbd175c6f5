/** The files of a media attribute, in order. */
import ArrowBackIcon from '@mui/icons-material/ArrowBack';
import ArrowForwardIcon from '@mui/icons-material/ArrowForward';
import CloseIcon from '@mui/icons-material/Close';
import AddPhotoAlternateIcon from '@mui/icons-material/AddPhotoAlternate';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useFormContext } from 'react-hook-form';
import { useMay } from '../app/session.ts';
import { fieldLabel } from '../fields/field-label.ts';
import { FieldFrame } from '../fields/field-frame.tsx';
import type { FieldProps } from '../fields/field-props.ts';
import { useRawField } from '../fields/use-raw-field.ts';
import type { MediaAttribute } from '../model/model.ts';
import { useAllowedFiles } from './allowed-files.ts';
import type { MediaFile } from './media-file.ts';
import { MediaThumb } from './media-thumb.tsx';
import { UploadProgress } from './upload-button.tsx';
import { overStyles, useFileDrop } from './use-file-drop.ts';
import { useUploads } from './use-uploads.ts';

const MediaDialog = lazy(() => import('./media-dialog.tsx'));

type Value = MediaFile | readonly MediaFile[] | null;

/** Arrows point where the files go, in either direction of writing. */
const arrow = { '[dir=rtl] &': { transform: 'scaleX(-1)' } } as const;

interface CardProps {
  readonly file: MediaFile;
  readonly isReadOnly: boolean;
  readonly onRemove: () => void;
  /** Absent if the file can't move in that direction. */
  readonly onBack?: (() => void) | undefined;
  readonly onForward?: (() => void) | undefined;
}

function FileCard({ file, isReadOnly, onRemove, onBack, onForward }: CardProps) {
  const translate = useTranslate();
  const { name } = file;
  return (
    <Box component="li" sx={{ listStyle: 'none', width: 132 }}>
      <a href={file.url} target="_blank" rel="noreferrer">
        <MediaThumb file={file} size={132} />
      </a>
      <Typography variant="caption" noWrap component="div" title={name}>
        {name}
      </Typography>
      {!isReadOnly && (
        <Stack direction="row">
          {onBack && (
            <IconButton size="small" aria-label={translate('media.back', { name })} onClick={onBack}>
              <ArrowBackIcon fontSize="small" sx={arrow} />
            </IconButton>
          )}
          {onForward && (
            <IconButton size="small" aria-label={translate('media.forward', { name })} onClick={onForward}>
              <ArrowForwardIcon fontSize="small" sx={arrow} />
            </IconButton>
          )}
          <IconButton size="small" aria-label={translate('relation.remove', { title: name })} onClick={onRemove}>
            <CloseIcon fontSize="small" />
          </IconButton>
        </Stack>
      )}
    </Box>
  );
}

function swapped(files: readonly MediaFile[], a: number, b: number): MediaFile[] {
  return files.map((file, index) => files[index === a ? b : index === b ? a : index] ?? file);
}

function isFile(file: MediaFile | null | undefined): file is MediaFile {
  return file !== null && file !== undefined;
}

export function MediaField(props: FieldProps<MediaAttribute>) {
  const translate = useTranslate();
  const id = useId();
  const { attribute } = props;
  const { getValues } = useFormContext();
  const may = useMay();
  const { uploads, send, dismiss } = useUploads();
  const allowed = useAllowedFiles(attribute.allowedTypes ?? []);
  const isMultiple = attribute.multiple;
  const { value, onChange, isReadOnly, problem } = useRawField<Value>(props, (files) =>
    [files].flat().every((file) => file === null),
  );
  const [isChoosing, setIsChoosing] = useState(false);
  const files = [value].flat().filter(isFile);
  const change = (changed: readonly MediaFile[]): void => onChange(isMultiple ? changed : (changed[0] ?? null));
  function add(chosen: readonly MediaFile[]): void {
    // An upload may end after other changes.
    const now = [getValues(props.source) as Value | undefined].flat().filter(isFile);
    const known = new Set(now.map((file) => file.id));
    change(isMultiple ? [...now, ...chosen.filter((file) => !known.has(file.id))] : chosen);
    setIsChoosing(false);
  }
  async function upload(dropped: readonly File[]): Promise<void> {
    const taken = allowed(isMultiple ? dropped : dropped.slice(0, 1));
    const stored = taken.length > 0 ? await send(taken) : [];
    if (stored.length > 0) add(stored);
  }
  const canDrop = !isReadOnly && may('upload', 'upload');
  const { isOver, handlers } = useFileDrop(canDrop ? (dropped) => void upload(dropped) : undefined);
  return (
    <FieldFrame id={id} label={fieldLabel(props)} attribute={attribute} problem={problem}>
      <Box sx={isOver ? overStyles : null} {...handlers}>
        <Stack component="ul" direction="row" sx={{ flexWrap: 'wrap', gap: 2, p: 0, m: 0 }}>
          {files.map((file, index) => (
            <FileCard
              key={file.id}
              file={file}
              isReadOnly={isReadOnly}
              onRemove={() => change(files.filter((other) => other.id !== file.id))}
              onBack={index > 0 ? () => change(swapped(files, index, index - 1)) : undefined}
              onForward={index < files.length - 1 ? () => change(swapped(files, index, index + 1)) : undefined}
            />
          ))}
        </Stack>
        {!isReadOnly && (
          <Stack direction="row" sx={{ alignItems: 'center', gap: 1, mt: 1 }}>
            <Button startIcon={<AddPhotoAlternateIcon />} onClick={() => setIsChoosing(true)}>
              {translate(isMultiple || files.length === 0 ? 'media.choose' : 'media.chooseOther')}
            </Button>
            {canDrop && (
              <Typography variant="caption" color="textSecondary">
                {translate('media.orDrop')}
              </Typography>
            )}
          </Stack>
        )}
        <UploadProgress uploads={uploads} dismiss={dismiss} />
      </Box>
      {isChoosing && (
        <Suspense>
          <MediaDialog
            isMultiple={isMultiple}
            allowedKinds={attribute.allowedTypes ?? []}
            onChoose={add}
            onClose={() => setIsChoosing(false)}
          />
        </Suspense>
      )}
    </FieldFrame>
  );
}
