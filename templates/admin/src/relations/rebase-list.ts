/** Carries changes of a list that were made during a save over to the list that was stored. */
import { type EntryRef, keyOf } from './entry-ref.ts';
import {
  connect,
  indexOf,
  isRun,
  lengthOf,
  normalize,
  type Placed,
  type RelationList,
  remove,
  type Run,
  type Segment,
  sizeOf,
  SOMEWHERE,
} from './relation-list.ts';

/** The positions in the sent list of its runs, and of its moved and added entries. */
interface Places {
  /** The runs, with their first index in the sent list. */
  readonly runs: readonly (Run & { readonly start: number })[];
  /** Moved and added entries, with their index in the sent list. */
  readonly placed: readonly (Placed & { readonly at: number })[];
}

function placesIn({ segments }: RelationList): Places {
  const runs: (Run & { start: number })[] = [];
  const placed: (Placed & { at: number })[] = [];
  let start = 0;
  for (const segment of segments) {
    if (isRun(segment)) runs.push({ ...segment, start });
    else placed.push({ ...segment, at: start });
    start += sizeOf(segment);
  }
  return { runs, placed };
}

function hasEntry(entries: readonly EntryRef[], entry: EntryRef): boolean {
  return entries.some((other) => keyOf(other) === keyOf(entry));
}

/** The entries of a run, at their indexes in the stored list. Those that the save has removed are connected again. */
function rebasedRun({ from, to }: Run, { runs, placed }: Places, head: readonly EntryRef[]): readonly Segment[] {
  const segments: Segment[] = [];
  for (let index = from; index < to;) {
    const run = runs.find((other) => other.from <= index && index < other.to);
    if (run) {
      const end = Math.min(to, run.to);
      segments.push({ from: run.start + index - run.from, to: run.start + end - run.from });
      index = end;
    } else {
      const moved = placed.find(({ was }) => was === index);
      const entry = moved?.entry ?? head[index];
      if (entry) segments.push({ entry, was: moved?.at });
      index += 1;
    }
  }
  return segments;
}

function rebasedEntry({ entry, was }: Placed, { runs, placed }: Places, sent: RelationList): Placed {
  const moved = placed.find((other) => keyOf(other.entry) === keyOf(entry));
  if (moved) return { entry, was: moved.at };
  const run = was === undefined ? undefined : runs.find(({ from, to }) => from <= was && was < to);
  if (run && was !== undefined) return { entry, was: run.start + was - run.from };
  return { entry, was: was === SOMEWHERE && !hasEntry(sent.removed, entry) ? SOMEWHERE : undefined };
}

/** If the stored list differs from the one that was sent, indexes are meaningless: only added and removed entries are carried over. */
function addedAndRemoved(places: Places, now: RelationList, saved: RelationList): RelationList {
  let list = saved;
  for (const entry of now.removed) {
    const at = saved.head.findIndex((other) => keyOf(other) === keyOf(entry));
    const index = indexOf(list, (slot) => (isRun(slot) && slot.from <= at && at < slot.to ? at - slot.from : -1));
    if (index !== -1) list = remove(list, index, entry);
  }
  const known = [...places.placed.map(({ entry }) => entry), ...saved.head];
  return placesIn(now)
    .placed.map(({ entry }) => entry)
    .filter((entry) => !hasEntry(known, entry))
    .reduce(connect, list);
}

/** Rebases the changes of `now` onto `saved`: `sent` was stored as `saved`, and `now` is based on the same list as `sent`. */
export function rebasedList(sent: RelationList, now: RelationList, saved: RelationList): RelationList {
  const places = placesIn(sent);
  if (lengthOf(sent) !== saved.total) return addedAndRemoved(places, now, saved);
  const segments = now.segments.flatMap((segment): readonly Segment[] =>
    isRun(segment) ? rebasedRun(segment, places, now.head) : [rebasedEntry(segment, places, sent)],
  );
  const isKept = ({ entry, was }: Placed): boolean =>
    now.segments.some((segment) =>
      isRun(segment)
        ? was !== undefined && segment.from <= was && was < segment.to
        : keyOf(segment.entry) === keyOf(entry),
    );
  const removed = now.removed.filter((entry) => !hasEntry(sent.removed, entry));
  const dropped = places.placed.filter((placed) => !isKept(placed) && !hasEntry(removed, placed.entry));
  return { ...saved, segments: normalize(segments), removed: [...removed, ...dropped.map(({ entry }) => entry)] };
}
