/** Opens the palette, by a click or Ctrl+K. */
import SearchIcon from '@mui/icons-material/Search';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { lazy, Suspense, useState } from 'react';
import { useTranslate } from 'react-admin';
import { type FormCommand, reachableCommands } from '../app/form-commands.ts';
import { keysOf, useShortcuts } from '../app/shortcuts.ts';
import { useRememberedTypes } from './recent-types.ts';

const Palette = lazy(() => import('./palette.tsx'));

export function PaletteButton() {
  const translate = useTranslate();
  /** Undefined while it is closed: once it is open, the form below can't be reached. */
  const [commands, setCommands] = useState<readonly FormCommand[]>();
  const open = (): void => setCommands((before) => before ?? reachableCommands()?.commands ?? []);
  useShortcuts(open);
  useRememberedTypes();
  const label = translate('palette.open', { keys: keysOf('K') });
  return (
    <>
      <Tooltip title={label}>
        <IconButton color="inherit" aria-label={label} onClick={open}>
          <SearchIcon />
        </IconButton>
      </Tooltip>
      {commands && (
        <Suspense>
          <Palette commands={commands} onClose={() => setCommands(undefined)} />
        </Suspense>
      )}
    </>
  );
}
