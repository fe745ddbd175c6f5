/** One entry of a list, with a handle for dragging, and for moving with the arrow keys, Home and End. */
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import CloseIcon from '@mui/icons-material/Close';
import DragIndicatorIcon from '@mui/icons-material/DragIndicator';
import MoreVertIcon from '@mui/icons-material/MoreVert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, memo, type MouseEvent, useEffect, useRef } from 'react';
import { useTranslate } from 'react-admin';
import { Link } from 'react-router';
import type { EntryRef } from './entry-ref.ts';

/** In pixels. */
export const ROW_HEIGHT = 44;

/** Destination of a move. */
export type Destination = 'up' | 'down' | 'start' | 'end';

const KEYS: Readonly<Record<string, Destination>> = { ArrowUp: 'up', ArrowDown: 'down', Home: 'start', End: 'end' };

export interface RowActions {
  readonly onMove: (index: number, destination: Destination) => void;
  readonly onMenu: (index: number, anchor: HTMLElement) => void;
  readonly onRemove: (index: number) => void;
  /** Opens the entry in a drawer; returns whether it does. */
  readonly onOpen: (index: number) => boolean;
}

interface Props {
  readonly id: string;
  readonly index: number;
  readonly total: number;
  readonly top: number;
  readonly entry: EntryRef | undefined;
  readonly link: string | undefined;
  readonly isReadOnly: boolean;
  /** Whether the handle takes the focus, after its row was moved. */
  readonly hasFocus: boolean;
  readonly actions: RowActions;
}

export const RelationRow = memo((props: Props) => {
  const { id, index, total, top, entry, link, isReadOnly, hasFocus, actions } = props;
  const translate = useTranslate();
  const handle = useRef<HTMLButtonElement>(null);
  const disabled = isReadOnly || entry === undefined;
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id,
    data: { index },
    disabled,
  });
  useEffect(() => {
    if (hasFocus) handle.current?.focus({ preventScroll: true });
  }, [hasFocus, index]);

  function onKeyDown(event: KeyboardEvent): void {
    const destination = KEYS[event.key];
    if (!destination) return;
    event.preventDefault();
    actions.onMove(index, destination);
  }

  /** Unless the browser opens the link in another tab. */
  function onClick(event: MouseEvent): void {
    const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!isElsewhere && actions.onOpen(index)) event.preventDefault();
  }

  return (
    <Box
      ref={setNodeRef}
      role="listitem"
      aria-posinset={index + 1}
      aria-setsize={total}
      style={{ top, transform: CSS.Translate.toString(transform), transition }}
      sx={{
        position: 'absolute',
        left: 0,
        right: 0,
        height: ROW_HEIGHT,
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 0.5,
        boxSizing: 'border-box',
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
        zIndex: isDragging ? 1 : 0,
        boxShadow: isDragging ? 4 : 0,
      }}
    >
      {!isReadOnly && (
        <IconButton
          ref={(node: HTMLButtonElement | null) => {
            handle.current = node;
            setActivatorNodeRef(node);
          }}
          {...listeners}
          size="small"
          disabled={disabled}
          aria-label={translate('relation.handle', { title: entry?.title ?? '', position: index + 1, total })}
          onKeyDown={onKeyDown}
          sx={{ cursor: 'grab', touchAction: 'none' }}
        >
          <DragIndicatorIcon fontSize="small" />
        </IconButton>
      )}
      <Typography variant="caption" color="text.secondary" sx={{ minWidth: 24, textAlign: 'end' }} aria-hidden>
        {index + 1}
      </Typography>
      {entry ? (
        <Typography
          noWrap
          component={link === undefined ? 'span' : Link}
          {...(link !== undefined && { to: link, onClick })}
          sx={{ flex: 1, color: 'text.primary' }}
        >
          <bdi>{entry.title}</bdi>
        </Typography>
      ) : (
        <Skeleton sx={{ flex: 1 }} />
      )}
      {entry?.isDraft === true && <Chip size="small" variant="outlined" label={translate('entry.draft')} />}
      {!isReadOnly && entry && (
        <>
          <IconButton
            size="small"
            aria-haspopup="menu"
            aria-label={translate('relation.moveMenu', { title: entry.title })}
            onClick={(event) => actions.onMenu(index, event.currentTarget)}
          >
            <MoreVertIcon fontSize="small" />
          </IconButton>
          <IconButton
            size="small"
            aria-label={translate('relation.remove', { title: entry.title })}
            onClick={() => actions.onRemove(index)}
          >
            <CloseIcon fontSize="small" />
          </IconButton>
        </>
      )}
    </Box>
  );
});
