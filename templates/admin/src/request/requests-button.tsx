/** "Show requests", in the bar of the page. */
import TerminalIcon from '@mui/icons-material/Terminal';
import Drawer from '@mui/material/Drawer';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';

const RequestsPanel = lazy(() => import('./requests-panel.tsx'));

export function RequestsButton() {
  const translate = useTranslate();
  const [isOpen, setIsOpen] = useState(false);
  const label = translate('requests.title');
  return (
    <>
      <Tooltip title={label}>
        <IconButton color="inherit" aria-label={label} onClick={() => setIsOpen(true)}>
          <TerminalIcon />
        </IconButton>
      </Tooltip>
      <Drawer
        anchor="right"
        open={isOpen}
        onClose={() => setIsOpen(false)}
        slotProps={{ paper: { 'aria-labelledby': 'requests-title', role: 'dialog' } }}
      >
        <Suspense>
          <RequestsPanel />
        </Suspense>
      </Drawer>
    </>
  );
}
