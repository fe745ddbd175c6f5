/** The visible rows of a list; entries of the server's list are read page by page. */
import { useQueries } from '@tanstack/react-query';
import { PAGE } from '../rest/entry-query.ts';
import { rowsQuery, useReadRows } from '../rest/relation-rows.ts';
import type { EntryRef } from './entry-ref.ts';
import { type RelationList, slotAt } from './relation-list.ts';

/** Undefined while a row is being read. */
export type RowAt = (index: number) => EntryRef | undefined;

/** `first` and `last` are the indexes of the visible rows. */
export function useRelationRows(list: RelationList, first: number, last: number): RowAt {
  const read = useReadRows();
  const { place, head } = list;
  const pages = new Set<number>();
  for (let index = first; index <= last; index += 1) {
    const slot = slotAt(list, index);
    if (slot?.kind === 'server' && slot.index >= head.length) pages.add(Math.floor(slot.index / PAGE));
  }
  const asked = place ? [...pages] : [];
  const results = useQueries({
    queries: asked.map((page) => rowsQuery(read, place as NonNullable<typeof place>, page)),
  });
  const rows = new Map(asked.map((page, index) => [page, results[index]?.data]));
  return (index) => {
    const slot = slotAt(list, index);
    if (!slot) return undefined;
    if (slot.kind === 'placed') return slot.entry;
    return head[slot.index] ?? rows.get(Math.floor(slot.index / PAGE))?.[slot.index % PAGE];
  };
}
