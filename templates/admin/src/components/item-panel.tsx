/** One item of a repeatable component or dynamic zone: its header, and its fields while expanded. */
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import AddIcon from '@mui/icons-material/Add';
import ContentCopyIcon from '@mui/icons-material/ContentCopy';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import DragIndicatorIcon from '@mui/icons-material/DragIndicator';
import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import ExpandLessIcon from '@mui/icons-material/ExpandLess';
import ExpandMoreIcon from '@mui/icons-material/ExpandMore';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, memo } from 'react';
import { useTranslate } from 'react-admin';
import { useNestedFields } from '../fields/nested-fields.ts';
import { useError } from '../fields/use-error.ts';
import { useModel } from '../model/model-context.tsx';
import { useItemTitle } from './item-title.ts';

export interface ItemActions {
  readonly onToggle: (key: string) => void;
  readonly onMove: (index: number, to: number) => void;
  /** Inserts an item at an index; `anchor` is the button. */
  readonly onInsert: (index: number, anchor: HTMLElement) => void;
  readonly onDuplicate: (index: number) => void;
  readonly onRemove: (index: number) => void;
}

interface Props {
  readonly id: string;
  /** The path of the item: `links.0`. */
  readonly source: string;
  readonly index: number;
  readonly uid: string;
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  /** Whether the list has its maximum length. */
  readonly isFull: boolean;
  readonly actions: ItemActions;
}

export const ItemPanel = memo(({ id, source, index, uid, isOpen, isReadOnly, isFull, actions }: Props) => {
  const translate = useTranslate();
  const NestedFields = useNestedFields();
  const component = useModel().component(uid);
  const title = useItemTitle(source, component);
  const hasError = useError(source, (error) => error !== undefined);
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } = useSortable({
    id,
    data: { index },
    disabled: isReadOnly,
  });
  const name = title === '' ? component.displayName : title;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    actions.onMove(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  }

  return (
    <Paper
      ref={setNodeRef}
      component="li"
      variant="outlined"
      style={{ transform: CSS.Translate.toString(transform), transition }}
      sx={{ listStyle: 'none', position: 'relative', zIndex: isDragging ? 1 : 'auto', minWidth: 0 }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', px: 0.5, minHeight: 48 }}>
        {!isReadOnly && (
          <IconButton
            ref={setActivatorNodeRef}
            {...listeners}
            size="small"
            aria-label={translate('item.handle', { name, position: index + 1 })}
            onKeyDown={onKeyDown}
            sx={{ cursor: 'grab', touchAction: 'none' }}
          >
            <DragIndicatorIcon fontSize="small" />
          </IconButton>
        )}
        <ButtonBase
          aria-expanded={isOpen}
          onClick={() => actions.onToggle(id)}
          sx={{ flex: 1, minWidth: 0, justifyContent: 'flex-start', gap: 1, py: 1, px: 0.5, borderRadius: 1 }}
        >
          {isOpen ? <ExpandLessIcon fontSize="small" /> : <ExpandMoreIcon fontSize="small" />}
          <Typography variant="subtitle2" component="span" noWrap>
            {component.displayName}
          </Typography>
          <Typography variant="body2" color="text.secondary" noWrap>
            {title}
          </Typography>
          {hasError && <ErrorIcon color="error" fontSize="small" titleAccess={translate('item.hasError')} />}
        </ButtonBase>
        {!isReadOnly && (
          <>
            <IconButton
              size="small"
              disabled={isFull}
              aria-label={translate('items.insertAfter', { name })}
              onClick={(event) => actions.onInsert(index + 1, event.currentTarget)}
            >
              <AddIcon fontSize="small" />
            </IconButton>
            <IconButton
              size="small"
              aria-label={translate('item.duplicate', { name })}
              onClick={() => actions.onDuplicate(index)}
            >
              <ContentCopyIcon fontSize="small" />
            </IconButton>
            <IconButton
              size="small"
              aria-label={translate('item.remove', { name })}
              onClick={() => actions.onRemove(index)}
            >
              <DeleteIcon fontSize="small" />
            </IconButton>
          </>
        )}
      </Stack>
      {isOpen && (
        <Box sx={{ p: 2, pt: 1 }}>
          <NestedFields attributes={component.attributes} prefix={`${source}.`} />
        </Box>
      )}
    </Paper>
  );
});
