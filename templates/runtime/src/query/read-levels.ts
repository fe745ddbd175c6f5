/**
 * Reads nested lists level by level: first the ids in each list, then each of these entries once, however many lists contain it. All
 * occurrences count against the budget of the answer, before the entry is read. The answer is assembled from one JSON string per
 * entry.
 */
import type { AnswerBudget } from '../base/cost/answer-budget.ts';
import type { Executor } from '../database/executor.ts';
import type { ReadOptions, Row } from '../database/statement-runner.ts';
import {
  compileEntries,
  compileMembers,
  type EntriesStatement,
  type EntryLevel,
  type ListOwner,
  type Member,
  type MembersStatement,
} from './compile/compile-level.ts';
import type { DeferredList } from './compile/list-bounds.ts';
import { type Marker, splitAtMarkers, type SplitText } from './compile/markers.ts';

/** The context of one read by levels. */
export interface LevelRead {
  readonly executor: Executor;
  readonly options: ReadOptions | undefined;
  readonly budget: AnswerBudget;
  /** The largest allowed length of a list. */
  readonly most: number;
}

/** The batch sizes of the first statement of a level, in owners of lists and in entries; later batches adapt to the results. */
const FIRST_OWNERS = 16;
const FIRST_ENTRIES = 100;
const MOST_AT_ONCE = 1000;
/** The approximate number of members and of characters that one statement should return. */
const MEMBERS_AT_ONCE = 10_000;
const SIZE_AT_ONCE = 2 * 1024 * 1024;

/** The statements below a level, compiled on first use. */
interface ListPlan {
  readonly members: MembersStatement;
  readonly targets: readonly EntriesStatement[];
}
const plans = new WeakMap<DeferredList, ListPlan>();

function planOf(list: DeferredList, { executor: { dialect }, most }: LevelRead): ListPlan {
  const known = plans.get(list);
  if (known) return known;
  const { population } = list;
  const targets =
    population.kind === 'morph'
      ? population.targets.map(({ entry }) => compileEntries(dialect, entry, true))
      : [compileEntries(dialect, population.entry, false)];
  const made = { members: compileMembers(dialect, list, most), targets };
  plans.set(list, made);
  return made;
}

/** The result of reading a level. */
interface Level {
  readonly texts: ReadonlyMap<number, SplitText>;
  readonly lists: readonly ReadList[];
}

interface ReadList {
  readonly members: ReadonlyMap<string, readonly Member[]>;
  readonly targets: readonly Level[];
}

function keyOf({ owner, item }: ListOwner): string {
  return item === undefined ? String(owner) : `${owner} ${item}`;
}

/** An owner of a list, and how many times the answer shows it. */
interface Shown {
  readonly owner: ListOwner;
  count: number;
}

function ownersOf(list: number, texts: Level['texts'], counts: ReadonlyMap<number, number>): Map<string, Shown> {
  const owners = new Map<string, Shown>();
  for (const [id, { markers }] of texts) {
    for (const marker of markers) {
      if (marker.list !== list) continue;
      const key = keyOf(marker);
      const known = owners.get(key) ?? { owner: marker, count: 0 };
      known.count += counts.get(id) ?? 0;
      owners.set(key, known);
    }
  }
  return owners;
}

/** Processes `all` in batches: the first has `first` elements; later ones are sized so that each result is about `size`. */
async function inParts<T>(
  all: readonly T[],
  { first, size }: { readonly first: number; readonly size: number },
  read: (part: readonly T[]) => Promise<number>,
): Promise<void> {
  let length = first;
  for (let start = 0; start < all.length;) {
    const part = all.slice(start, start + length);
    const each = (await read(part)) / part.length;
    start += part.length;
    length = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(size / Math.max(each, 1))));
  }
}

async function readMembers(
  read: LevelRead,
  { population }: DeferredList,
  { members }: ListPlan,
  owners: ReadonlyMap<string, Shown>,
): Promise<ReadonlyMap<string, readonly Member[]>> {
  const found = new Map<string, readonly Member[]>();
  await inParts([...owners.values()], { first: FIRST_OWNERS, size: MEMBERS_AT_ONCE }, async (part) => {
    let count = 0;
    const rows = await read.executor.all(members.statement(part.map(({ owner }) => owner)), read.options);
    for (const row of rows) {
      const key = keyOf(members.ownerOf(row));
      const list = members.membersOf(row);
      const shown = owners.get(key)?.count ?? 0;
      read.budget.entries(shown * (list?.length ?? Infinity), population.path);
      found.set(key, list ?? []);
      count += list?.length ?? 0;
    }
    return count;
  });
  return found;
}

/** How many times the answer shows each member of one target. */
function memberCounts(
  target: number,
  members: ReadonlyMap<string, readonly Member[]>,
  owners: ReadonlyMap<string, Shown>,
): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [key, list] of members) {
    const shown = owners.get(key)?.count ?? 0;
    for (const [of, id] of list) {
      if (of === target) counts.set(id, (counts.get(id) ?? 0) + shown);
    }
  }
  return counts;
}

/** Splits the JSON of rows at its markers, and charges its size to the budget once per occurrence. */
function takeRows(
  rows: readonly Row[],
  level: EntryLevel,
  {
    counts,
    budget,
    path,
  }: { readonly counts: ReadonlyMap<number, number>; readonly budget: AnswerBudget; readonly path: string | undefined },
  texts: Map<number, SplitText>,
): number {
  let size = 0;
  for (const row of rows) {
    const id = level.idOf(row);
    const text = level.textOf(row);
    budget.size(Buffer.byteLength(text) * (counts.get(id) ?? 0), path);
    texts.set(id, splitAtMarkers(text));
    size += text.length;
  }
  return size;
}

async function readList(read: LevelRead, list: DeferredList, owners: ReadonlyMap<string, Shown>): Promise<ReadList> {
  const plan = planOf(list, read);
  const members = await readMembers(read, list, plan, owners);
  const targets: Level[] = [];
  for (const [target, statement] of plan.targets.entries()) {
    const counts = memberCounts(target, members, owners);
    const texts = new Map<number, SplitText>();
    const about = { counts, budget: read.budget, path: list.population.path };
    await inParts([...counts.keys()], { first: FIRST_ENTRIES, size: SIZE_AT_ONCE }, async (ids) =>
      takeRows(await read.executor.all(statement.statement(ids), read.options), statement, about, texts),
    );
    targets.push(await readLevel(read, statement, texts, counts));
  }
  return { members, targets };
}

async function readLevel(
  read: LevelRead,
  level: EntryLevel,
  texts: Level['texts'],
  counts: ReadonlyMap<number, number>,
): Promise<Level> {
  const lists: ReadList[] = [];
  for (const [index, list] of level.lists.entries()) {
    lists.push(await readList(read, list, ownersOf(index, texts, counts)));
  }
  return { texts, lists };
}

/** Adds the JSON of a list to the pieces of an answer. */
function addList(pieces: string[], { members, targets }: ReadList, marker: Marker): void {
  const entries = (members.get(keyOf(marker)) ?? []).filter(([target, id]) => targets[target]?.texts.has(id));
  pieces.push('[');
  for (const [index, [target, id]] of entries.entries()) {
    if (index > 0) pieces.push(',');
    addEntry(pieces, targets[target], id);
  }
  pieces.push(']');
}

/** Adds the JSON of an entry with its lists; nothing if the entry has since been deleted. */
function addEntry(pieces: string[], level: Level | undefined, id: number): void {
  const split = level?.texts.get(id);
  if (!level || !split) return;
  for (const [index, text] of split.texts.entries()) {
    pieces.push(text);
    const marker = split.markers[index];
    if (!marker) continue;
    const list = level.lists[marker.list];
    if (list) addList(pieces, list, marker);
    else pieces.push('[]');
  }
}

/** The JSON of entries with all their lists, in the order of the rows. Throws BadRequestError if the budget is exceeded. */
export async function completeEntries(
  read: LevelRead,
  level: EntryLevel,
  rows: readonly Row[],
): Promise<readonly (readonly string[])[]> {
  const ids = rows.map((row) => level.idOf(row));
  const counts = new Map(ids.map((id) => [id, 1]));
  const texts = new Map<number, SplitText>();
  read.budget.entries(rows.length, undefined);
  takeRows(rows, level, { counts, budget: read.budget, path: undefined }, texts);
  const complete = await readLevel(read, level, texts, counts);
  return ids.map((id) => {
    const pieces: string[] = [];
    addEntry(pieces, complete, id);
    return pieces;
  });
}
