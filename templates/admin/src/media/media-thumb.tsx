import AudioFileIcon from '@mui/icons-material/AudioFile';
import InsertDriveFileIcon from '@mui/icons-material/InsertDriveFile';
import VideoFileIcon from '@mui/icons-material/VideoFile';
import Box from '@mui/material/Box';
import { kindOf, type MediaFile, thumbnailOf } from './media-file.ts';

const ICONS = { image: InsertDriveFileIcon, video: VideoFileIcon, audio: AudioFileIcon, file: InsertDriveFileIcon };

interface Props {
  readonly file: MediaFile;
  /** CSS width, or pixels. */
  readonly size: number | string;
  /** Whether the name of the file stands beside it. */
  readonly isNamed?: boolean;
}

/** The thumbnail of an image, or an icon for other files. */
export function MediaThumb({ file, size, isNamed = false }: Props) {
  const thumbnail = thumbnailOf(file);
  const box = { width: size, aspectRatio: '1', borderRadius: 1, flexShrink: 0, bgcolor: 'action.hover' };
  if (thumbnail !== undefined) {
    const alt = file.alternativeText ?? (isNamed ? '' : file.name);
    const { x, y } = file.focalPoint ?? { x: 50, y: 50 };
    const objectPosition = `${x}% ${y}%`;
    return (
      <Box
        component="img"
        src={thumbnail}
        alt={alt}
        loading="lazy"
        sx={{ ...box, objectFit: 'cover', objectPosition }}
      />
    );
  }
  const Icon = ICONS[kindOf(file)];
  return (
    <Box sx={{ ...box, display: 'grid', placeItems: 'center' }}>
      <Icon titleAccess={file.name} color="action" />
    </Box>
  );
}
