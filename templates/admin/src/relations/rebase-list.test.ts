/** Lists of relations against a model: plain arrays of ids, edited by one person, and requests as the server applies them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EntryRef } from './entry-ref.ts';
import { rebasedList } from './rebase-list.ts';
import { changeOf, type RelationChange } from './relation-change.ts';
import { connect, isChanged, lengthOf, listOf, move, type RelationList, remove, slotAt } from './relation-list.ts';

type Edit = { readonly kind: 'remove' | 'move' | 'connect' | 'reconnect'; readonly from: number; readonly to: number };

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('remove', 'move', 'connect', 'reconnect'),
  from: fc.nat(11),
  to: fc.nat(11),
});
const edits = fc.array(edit, { maxLength: 6 });

function refs(ids: readonly number[]): EntryRef[] {
  return ids.map((id) => ({ id, title: `${id}` }));
}

/** The ids that the list shows, if the server has `stored`. */
function shown(list: RelationList, stored: readonly number[]): number[] {
  return Array.from({ length: lengthOf(list) }, (_, at) => {
    const slot = slotAt(list, at);
    return slot?.kind === 'placed' ? Number(slot.entry.id) : (stored[slot?.index ?? -1] ?? NaN);
  });
}

/** Somebody who edits a list, and the ids that they expect to see. New ids are counted from `next`. */
interface Edited {
  readonly list: RelationList;
  readonly ids: readonly number[];
  readonly gone: readonly number[];
  readonly next: number;
}

function edited(before: Edited, { kind, from, to }: Edit): Edited {
  const { list, ids, gone, next } = before;
  const [at, id] = [from % (ids.length || 1), ids[from % (ids.length || 1)]];
  const others = ids.toSpliced(at, 1);
  const entryOf = (entry: number): EntryRef => ({ id: entry, title: `${entry}` });
  if (kind === 'connect') return { ...before, list: connect(list, entryOf(next)), ids: [...ids, next], next: next + 1 };
  if (kind === 'reconnect') {
    const [back] = gone;
    if (back === undefined) return before;
    return { ...before, list: connect(list, entryOf(back)), ids: [...ids, back], gone: gone.slice(1) };
  }
  if (id === undefined) return before;
  if (kind === 'remove') return { ...before, list: remove(list, at, entryOf(id)), ids: others, gone: [...gone, id] };
  const place = to % ids.length;
  return { ...before, list: move(list, at, place, entryOf(id)), ids: others.toSpliced(place, 0, id) };
}

function unedited(total: number): Edited {
  const ids = Array.from({ length: total }, (_, at) => at + 1);
  return { list: listOf(total, refs(ids)), ids, gone: [], next: 100 };
}

/**
 * The list after a request, as the server applies it: `disconnect`, then each `connect` at its position. Expects that the request
 * names each entry once, and disconnects only what is there.
 */
async function applied(list: RelationList, stored: readonly number[]): Promise<readonly number[]> {
  const change: RelationChange | undefined = await changeOf(list, async (at) => refs([stored[at] ?? NaN])[0]);
  const dropped = (change?.disconnect ?? []).map(({ id }) => Number(id));
  const named = [...dropped, ...(change?.connect ?? []).map(({ id }) => Number(id))];
  expect(new Set(named).size).toBe(named.length);
  expect(stored).toEqual(expect.arrayContaining(dropped));
  let ids = stored.filter((id) => !dropped.includes(id));
  for (const { id, position } of change?.connect ?? []) {
    ids = ids.filter((other) => other !== Number(id));
    const at = 'start' in position ? 0 : 'after' in position ? ids.indexOf(Number(position.after)) + 1 : ids.length;
    ids.splice(at, 0, Number(id));
  }
  return ids;
}

it('an edited list shows what was done to it, and its request stores that', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(8), edits, async (total, all) => {
      const stored = unedited(total).ids;
      const { list, ids } = all.reduce(edited, unedited(total));
      expect(shown(list, stored)).toEqual(ids);
      expect(await applied(list, stored)).toEqual(ids);
      if (!isChanged(list)) expect(ids).toEqual(stored);
    }),
    { numRuns: 500 },
  );
});

it('edits during a save are edits of the list that was stored, and go on there', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(8), edits, edits, edits, async (total, before, during, after) => {
      const sent = before.reduce(edited, unedited(total));
      const now = during.reduce(edited, sent);
      const saved = listOf(sent.ids.length, refs(sent.ids));
      const rebased = rebasedList(sent.list, now.list, saved);
      expect(shown(rebased, sent.ids)).toEqual(now.ids);
      expect(await applied(rebased, sent.ids)).toEqual(now.ids);
      const later = after.reduce(edited, { ...now, list: rebased });
      expect(await applied(later.list, sent.ids)).toEqual(later.ids);
    }),
    { numRuns: 500 },
  );
});

it('an undone removal is undone after the save of it, too', async () => {
  const before = unedited(5);
  const sent = edited(before, { kind: 'remove', from: 2, to: 0 });
  const rebased = rebasedList(sent.list, before.list, listOf(4, refs(sent.ids)));
  expect(shown(rebased, sent.ids)).toEqual([1, 2, 3, 4, 5]);
  expect(await applied(rebased, sent.ids)).toEqual([1, 2, 3, 4, 5]);
});

it('where others have changed the list, too, what was added and removed is carried over', () => {
  const sent = edited(unedited(4), { kind: 'connect', from: 0, to: 0 });
  const now = [
    { kind: 'connect', from: 0, to: 0 } as const,
    { kind: 'remove', from: 1, to: 0 } as const,
    { kind: 'move', from: 0, to: 2 } as const,
  ].reduce(edited, sent);
  const stored = [4, 50, 2, 1, 3, 100];
  const rebased = rebasedList(sent.list, now.list, listOf(stored.length, refs(stored)));
  expect(shown(rebased, stored)).toEqual([4, 50, 1, 3, 100, 101]);
});
