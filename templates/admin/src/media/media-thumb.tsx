import AudioFileIcon from '@mui/icons-material/AudioFile';
import InsertDriveFileIcon from '@mui/icons-material/InsertDriveFile';
import VideoFileIcon from '@mui/icons-material/VideoFile';
import Box from '@mui/material/Box';
import { kindOf, type MediaFile, thumbnailOf } from './media-file.ts';

const ICONS = { image: InsertDriveFileIcon, video: VideoFileIcon, audio: AudioFileIcon, file: InsertDriveFileIcon };

/** The thumbnail of an image, or an icon for other files. `size`: CSS width, or pixels. */
export function MediaThumb({ file, size }: { readonly file: MediaFile; readonly size: number | string }) {
  const thumbnail = thumbnailOf(file);
  const box = { width: size, aspectRatio: '1', borderRadius: 1, flexShrink: 0, bgcolor: 'action.hover' };
  if (thumbnail !== undefined) {
    const alt = file.alternativeText ?? file.name;
    return <Box component="img" src={thumbnail} alt={alt} loading="lazy" sx={{ ...box, objectFit: 'cover' }} />;
  }
  const Icon = ICONS[kindOf(file)];
  return (
    <Box sx={{ ...box, display: 'grid', placeItems: 'center' }}>
      <Icon titleAccess={file.name} color="action" />
    </Box>
  );
}
