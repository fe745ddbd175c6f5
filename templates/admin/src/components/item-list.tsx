/** The items of a repeatable component or dynamic zone, which can be expanded, reordered, duplicated and removed. */
import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import Stack from '@mui/material/Stack';
import { visuallyHidden } from '@mui/utils';
import Box from '@mui/material/Box';
import { useMemo, useRef, useState } from 'react';
import { useNotify, useTranslate } from 'react-admin';
import { useProblemText } from '../app/problem-text.ts';
import { useOfferUndo } from '../app/undo-notice.tsx';
import { useModel } from '../model/model-context.tsx';
import type { ItemValues } from '../rest/form-values.ts';
import { useCopyItem } from './copy-item.ts';
import { type ItemActions, ItemPanel } from './item-panel.tsx';
import type { Items } from './use-items.ts';

interface Props {
  readonly source: string;
  readonly label: string;
  readonly items: Items;
  readonly uidOf: (item: ItemValues) => string;
  readonly isReadOnly: boolean;
  readonly isFull: boolean;
  readonly onInsert: ItemActions['onInsert'];
}

export function ItemList({ source, label, items, uidOf, isReadOnly, isFull, onInsert }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const problemText = useProblemText();
  const copyItem = useCopyItem();
  const offerUndo = useOfferUndo();
  const model = useModel();
  const [spoken, setSpoken] = useState('');
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const { fields, valueAt, move, insert, remove, isOpen, toggle } = items;

  function moveTo(from: number, to: number): void {
    if (to < 0 || to >= fields.length || from === to) return;
    move(from, to);
    setSpoken(translate('item.moved', { position: to + 1, total: fields.length }));
  }
  async function duplicate(index: number): Promise<void> {
    const item = valueAt(index);
    insert(index + 1, await copyItem(item, uidOf(item)));
  }
  function removeItem(index: number): void {
    const item = valueAt(index);
    const { displayName } = model.component(uidOf(item));
    remove(index);
    offerUndo(translate('item.removed', { name: displayName }), () => latest.current.insert(index, item));
  }
  function onDragEnd({ active, over }: DragEndEvent): void {
    const from = fields.findIndex(({ _key }) => _key === active.id);
    const to = fields.findIndex(({ _key }) => _key === over?.id);
    if (from !== -1 && to !== -1) moveTo(from, to);
  }
  const now = { moveTo, duplicate, removeItem, insert, onInsert, toggle, problemText };
  const latest = useRef(now);
  latest.current = now;
  const actions = useMemo(
    () => ({
      onToggle: (key: string) => latest.current.toggle(key),
      onMove: (index: number, to: number) => latest.current.moveTo(index, to),
      onInsert: (index: number, anchor: HTMLElement) => latest.current.onInsert(index, anchor),
      onDuplicate: (index: number) => {
        latest.current.duplicate(index).catch((error: unknown) => {
          notify(latest.current.problemText(error), { type: 'error' });
        });
      },
      onRemove: (index: number) => latest.current.removeItem(index),
    }),
    [notify],
  );

  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={fields.map(({ _key }) => _key)} strategy={verticalListSortingStrategy}>
        <Stack component="ul" aria-label={label} sx={{ gap: 1, p: 0, m: 0 }}>
          {fields.map((field, index) => (
            <ItemPanel
              key={field._key}
              id={field._key}
              source={`${source}.${index}`}
              index={index}
              uid={uidOf(field)}
              isOpen={isOpen(field._key)}
              isReadOnly={isReadOnly}
              isFull={isFull}
              actions={actions}
            />
          ))}
        </Stack>
      </SortableContext>
      <Box role="status" sx={visuallyHidden}>
        {spoken}
      </Box>
    </DndContext>
  );
}
