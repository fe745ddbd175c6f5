import AudioFileIcon from '@mui/icons-material/AudioFile';
import InsertDriveFileIcon from '@mui/icons-material/InsertDriveFile';
import VideoFileIcon from '@mui/icons-material/VideoFile';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { kindOf, type MediaFile, shownPoint, thumbnailOf } from './media-file.ts';
import { usePlaceholder } from './use-placeholder.ts';

const ICONS = { image: InsertDriveFileIcon, video: VideoFileIcon, audio: AudioFileIcon, file: InsertDriveFileIcon };

interface Props {
  readonly file: MediaFile;
  /** CSS width, or pixels. */
  readonly size: number | string;
  /** Whether the name of the file stands beside it. */
  readonly isNamed?: boolean;
}

interface PictureProps {
  readonly file: MediaFile;
  readonly src: string;
  readonly alt: string;
  readonly sx: object;
}

/** An image with its placeholder behind it until it is loaded: it may be transparent. */
function Picture({ file, src, alt, sx }: PictureProps) {
  const [loaded, setLoaded] = useState<string>();
  const backgroundImage = usePlaceholder(loaded === src ? undefined : file.placeholder);
  const { x, y } = shownPoint(file);
  const position = `${x}% ${y}%`;
  return (
    <Box
      component="img"
      src={src}
      alt={alt}
      loading="lazy"
      onLoad={() => setLoaded(src)}
      style={loaded === src ? undefined : { backgroundImage }}
      sx={{
        ...sx,
        objectFit: 'cover',
        objectPosition: position,
        backgroundSize: 'cover',
        backgroundPosition: position,
      }}
    />
  );
}

/** The thumbnail of an image, or an icon for other files. */
export function MediaThumb({ file, size, isNamed = false }: Props) {
  const thumbnail = thumbnailOf(file);
  const box = { width: size, aspectRatio: '1', borderRadius: 1, flexShrink: 0, bgcolor: 'action.hover' };
  if (thumbnail !== undefined) {
    const alt = file.alternativeText ?? (isNamed ? '' : file.name);
    return <Picture file={file} src={thumbnail} alt={alt} sx={box} />;
  }
  const Icon = ICONS[kindOf(file)];
  return (
    <Box sx={{ ...box, display: 'grid', placeItems: 'center' }}>
      <Icon titleAccess={file.name} color="action" />
    </Box>
  );
}
