import type { SxProps, Theme } from '@mui/material/styles';

/** Styles of edited and rendered text; the first rules are required by ProseMirror. */
export const proseStyles: SxProps<Theme> = {
  minWidth: 0,
  '& .ProseMirror': {
    position: 'relative',
    wordWrap: 'break-word',
    whiteSpace: 'break-spaces',
    fontVariantLigatures: 'none',
    outline: 'none',
    minHeight: 'var(--text-min-height, 140px)',
    maxHeight: 'var(--text-height, 640px)',
    overflowY: 'auto',
    px: 2,
    py: 1,
  },
  '&:focus-within': { borderColor: 'primary.main' },
  '& .ProseMirror-gapcursor': { display: 'none' },
  '& .ProseMirror-focused .ProseMirror-gapcursor': { display: 'block', borderTop: 1 },
  '& .ProseMirror-selectednode': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main' },
  '& img': { maxWidth: '100%', maxHeight: 320, borderRadius: 1, display: 'block' },
  '& blockquote': { borderLeft: 4, borderColor: 'divider', mx: 0, pl: 2, color: 'text.secondary' },
  '& pre': { bgcolor: 'action.hover', p: 1.5, borderRadius: 1, overflowX: 'auto', fontSize: 13 },
  '& code': { fontFamily: 'monospace' },
  '& a': { color: 'primary.main' },
  '& p': { my: 1 },
  '& table': { borderCollapse: 'collapse' },
  '& td, & th': { border: 1, borderColor: 'divider', px: 1 },
};
