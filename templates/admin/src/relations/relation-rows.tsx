/** The rows of a list, virtualized: only visible rows are rendered. */
import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import Box from '@mui/material/Box';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { ContentType } from '../model/model.ts';
import { useEntryForm } from './entry-forms.tsx';
import { type EntryRef, keyOf } from './entry-ref.ts';
import { MoveMenu } from './move-menu.tsx';
import { lengthOf, type RelationList } from './relation-list.ts';
import { type Destination, RelationRow, ROW_HEIGHT } from './relation-row.tsx';
import { useRelationRows } from './use-relation-rows.ts';

/** Maximum number of visible rows; longer lists scroll. */
const MAX_ROWS = 10;
const OVERSCAN = 6;

interface Props {
  readonly list: RelationList;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly linkOf: (entry: EntryRef) => string | undefined;
  readonly onMove: (from: number, to: number, entry: EntryRef) => void;
  readonly onRemove: (index: number, entry: EntryRef) => void;
  /** Opens an entry in a drawer; undefined where there are none. */
  readonly onOpen: ((entry: EntryRef) => void) | undefined;
  readonly targetOf: (entry: EntryRef) => ContentType | undefined;
}

function placeOf(destination: Destination | number, index: number, total: number): number {
  switch (destination) {
    case 'up':
      return Math.max(index - 1, 0);
    case 'down':
      return Math.min(index + 1, total - 1);
    case 'start':
      return 0;
    case 'end':
      return total - 1;
    default:
      return destination;
  }
}

interface Dragged {
  readonly index: number;
}

export function RelationRows({ list, label, isReadOnly, linkOf, onMove, onRemove, onOpen, targetOf }: Props) {
  const total = lengthOf(list);
  const scroller = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [focused, setFocused] = useState<string>();
  const [menu, setMenu] = useState<{ readonly index: number; readonly anchor: HTMLElement }>();
  // The dragged row stays mounted when it is scrolled out of view.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);
      return dragged === undefined || shown.includes(dragged) ? shown : [...shown, dragged].sort((a, b) => a - b);
    },
    [dragged],
  );
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  const shown = virtualizer.getVirtualItems();
  const { latest: latestOf } = useEntryForm();
  const readAt = useRelationRows(list, shown[0]?.index ?? 0, shown.at(-1)?.index ?? -1);
  const rowAt = (index: number): EntryRef | undefined => {
    const entry = readAt(index);
    return entry && latestOf(targetOf(entry), entry);
  };
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));

  function move(from: number, destination: Destination | number): void {
    const entry = rowAt(from);
    const to = placeOf(destination, from, total);
    if (!entry || from === to) return;
    setFocused(keyOf(entry));
    onMove(from, to, entry);
    virtualizer.scrollToIndex(to, { align: 'auto' });
  }
  function remove(index: number): void {
    const entry = rowAt(index);
    if (entry) onRemove(index, entry);
  }
  // Stable callbacks, so that memoized rows render only when their own props change.
  function openEntry(index: number): boolean {
    const entry = rowAt(index);
    if (!entry || !onOpen || targetOf(entry)?.kind !== 'collection') return false;
    onOpen(entry);
    return true;
  }
  const latest = useRef({ move, remove, openEntry });
  latest.current = { move, remove, openEntry };
  const actions = useMemo(
    () => ({
      onMove: (index: number, destination: Destination) => latest.current.move(index, destination),
      onRemove: (index: number) => latest.current.remove(index),
      onOpen: (index: number) => latest.current.openEntry(index),
      onMenu: (index: number, anchor: HTMLElement) => setMenu({ index, anchor }),
    }),
    [],
  );

  function onDragEnd({ active, over }: DragEndEvent): void {
    setDragged(undefined);
    const from = (active.data.current as Dragged | undefined)?.index;
    const to = (over?.data.current as Dragged | undefined)?.index;
    if (from !== undefined && to !== undefined) move(from, to);
  }

  const rows = shown.map(({ index, start }) => {
    const entry = rowAt(index);
    return { index, start, entry, id: entry ? keyOf(entry) : `at-${index}` };
  });
  const menuEntry = menu && rowAt(menu.index);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={({ active }) => setDragged((active.data.current as Dragged | undefined)?.index)}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={onDragEnd}
    >
      <SortableContext items={rows.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
        <Box
          ref={scroller}
          role="list"
          aria-label={label}
          tabIndex={total > MAX_ROWS ? 0 : undefined}
          sx={{
            maxHeight: MAX_ROWS * ROW_HEIGHT,
            overflowY: 'auto',
            border: total > 0 ? 1 : 0,
            borderColor: 'divider',
            borderRadius: 1,
          }}
        >
          <Box role="presentation" style={{ height: total * ROW_HEIGHT }} sx={{ position: 'relative' }}>
            {rows.map(({ id, index, start, entry }) => (
              <RelationRow
                key={id}
                id={id}
                index={index}
                total={total}
                top={start}
                entry={entry}
                link={entry && linkOf(entry)}
                isReadOnly={isReadOnly}
                hasFocus={focused === id}
                actions={actions}
              />
            ))}
          </Box>
        </Box>
      </SortableContext>
      <MoveMenu
        anchor={menu?.anchor ?? null}
        index={menu?.index ?? 0}
        total={total}
        link={menuEntry && linkOf(menuEntry)}
        onMove={move}
        onClose={() => setMenu(undefined)}
      />
    </DndContext>
  );
}
