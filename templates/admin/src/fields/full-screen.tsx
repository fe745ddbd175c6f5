/** A text field that can fill the screen. It stays where it is in the document, so that its editor keeps cursor and history. */
import FullscreenIcon from '@mui/icons-material/Fullscreen';
import FullscreenExitIcon from '@mui/icons-material/FullscreenExit';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import FocusTrap from '@mui/material/Unstable_TrapFocus';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslate } from 'react-admin';

/** The height of texts: editors have it as their maximum, `var(--text-height, 640px)`, and nearly as their minimum. */
const fullStyles = {
  position: 'fixed',
  inset: 0,
  // Above drawers, below dialogs.
  zIndex: 1250,
  overflowY: 'auto',
  bgcolor: 'background.paper',
  p: { xs: 1, md: 3 },
  outline: 'none',
  '--text-height': 'calc(100dvh - 150px)',
  '--text-min-height': 'calc(100dvh - 180px)',
  '& > *': { maxWidth: 960, mx: 'auto' },
  '& textarea': { height: 'var(--text-height) !important' },
} as const;

interface Props {
  readonly label: string;
  readonly isFull: boolean;
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

export function FullScreen({ label, isFull, onLeave, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent): void {
    if (!isFull || event.key !== 'Escape') return;
    event.stopPropagation();
    onLeave();
  }
  return (
    <FocusTrap
      open={isFull}
      disableRestoreFocus
      // Not while a dialog, such as that of a link, is above it.
      isEnabled={() => frame.current?.closest('[aria-hidden="true"]') === null}
    >
      <Box
        ref={frame}
        onKeyDown={onKeyDown}
        {...(isFull && { role: 'dialog', 'aria-modal': true, 'aria-label': label, tabIndex: -1 })}
        sx={isFull ? fullStyles : { minWidth: 0 }}
      >
        {children}
      </Box>
    </FocusTrap>
  );
}

/** Whether a field fills the screen, and the button for it. */
export function useFullScreen() {
  const translate = useTranslate();
  const [isFull, setIsFull] = useState(false);
  const label = translate(isFull ? 'wide.leave' : 'wide.open');
  const button = (
    <Tooltip title={label}>
      <IconButton
        size="small"
        aria-label={label}
        aria-pressed={isFull}
        // Keeps the focus and selection in the editor.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setIsFull(!isFull)}
        sx={{ ml: 'auto' }}
      >
        {isFull ? <FullscreenExitIcon fontSize="small" /> : <FullscreenIcon fontSize="small" />}
      </IconButton>
    </Tooltip>
  );
  return { isFull, button, onLeave: () => setIsFull(false) };
}
