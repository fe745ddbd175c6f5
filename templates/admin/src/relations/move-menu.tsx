/** Menu that moves an entry of a list. */
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { type FormEvent, useState } from 'react';
import { useTranslate } from 'react-admin';
import { useHref } from 'react-router';
import type { Destination } from './relation-row.tsx';

const DESTINATIONS: readonly Destination[] = ['up', 'down', 'start', 'end'];

interface Props {
  readonly anchor: HTMLElement | null;
  readonly index: number;
  readonly total: number;
  /** The page of the entry. */
  readonly link: string | undefined;
  readonly onMove: (index: number, destination: Destination | number) => void;
  readonly onClose: () => void;
}

export function MoveMenu({ anchor, index, total, link, onMove, onClose }: Props) {
  const translate = useTranslate();
  const href = useHref(link ?? '/');
  const [isAsking, setIsAsking] = useState(false);
  const isImpossible = (destination: Destination): boolean =>
    destination === 'up' || destination === 'start' ? index === 0 : index === total - 1;

  function close(): void {
    setIsAsking(false);
    onClose();
  }
  function moveTo(destination: Destination | number): void {
    onMove(index, destination);
    close();
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // React events bubble through the portal to the form of the entry.
    event.stopPropagation();
    const position = Number(new FormData(event.currentTarget).get('position'));
    moveTo(Math.min(Math.max(Math.round(position), 1), total) - 1);
  }

  return (
    <>
      <Menu anchorEl={anchor} open={anchor !== null && !isAsking} onClose={close}>
        {DESTINATIONS.map((destination) => (
          <MenuItem key={destination} disabled={isImpossible(destination)} onClick={() => moveTo(destination)}>
            {translate(`relation.${destination}`)}
          </MenuItem>
        ))}
        <MenuItem onClick={() => setIsAsking(true)}>{translate('relation.toPosition')}</MenuItem>
        {link !== undefined && (
          <MenuItem component="a" href={href} target="_blank" rel="noopener" onClick={close}>
            {translate('drawer.inTab')}
          </MenuItem>
        )}
      </Menu>
      <Dialog open={isAsking} onClose={close} aria-labelledby="to-position">
        <form onSubmit={submit}>
          <DialogTitle id="to-position">{translate('relation.toPosition')}</DialogTitle>
          <DialogContent sx={{ '&&': { pt: 1 } }}>
            <TextField
              name="position"
              type="number"
              label={translate('relation.position', { total })}
              defaultValue={index + 1}
              autoFocus
              fullWidth
              slotProps={{ htmlInput: { min: 1, max: total, step: 1 } }}
            />
          </DialogContent>
          <DialogActions>
            <Button onClick={close}>{translate('ra.action.cancel')}</Button>
            <Button type="submit" variant="contained">
              {translate('relation.move')}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
