/** From a change to the rows of a list that are to be written. */
import type { Issue } from '../errors.ts';
import type { ListTable, OwnedList } from './list-table.ts';
import { placeRuns } from './place-runs.ts';
import { planList, type ConnectStep, type ListFault, type StoredList } from './plan-list.ts';
import { POSITION_STEP } from './positions.ts';
import { readList, readMembers, readNeighbours } from './read-list.ts';
import { keyOf, type Connect, type EntryRef, type RelationChange, type Target } from './relation-change.ts';

export interface PlacedEntry extends EntryRef {
  readonly position: number;
}

export interface ListWrites {
  /** `these` leave the list, or all but these. */
  readonly remove: { readonly kind: 'these' | 'allBut'; readonly entries: readonly EntryRef[] };
  /** Entries that come into the list. */
  readonly insert: readonly PlacedEntry[];
  /** Members that get another position. */
  readonly move: readonly PlacedEntry[];
}

export interface ListWritesPlan {
  readonly issues: readonly Issue[];
  /** Only good if there are no issues. */
  readonly writes: ListWrites;
}

const NOTHING: ListWrites = { remove: { kind: 'these', entries: [] }, insert: [], move: [] };
const EMPTY_LIST: StoredList = { members: [], first: undefined, last: undefined };

function refOf(key: string): EntryRef {
  const colon = key.lastIndexOf(':');
  return { type: key.slice(0, colon), id: Number(key.slice(colon + 1)) };
}

function split(
  positions: ReadonlyMap<string, number>,
  stored: (key: string) => boolean,
): Pick<ListWrites, 'insert' | 'move'> {
  const insert: PlacedEntry[] = [];
  const move: PlacedEntry[] = [];
  for (const [key, position] of positions) (stored(key) ? move : insert).push({ ...refOf(key), position });
  return { insert, move };
}

async function planSet(owned: OwnedList | undefined, targets: readonly Target[]): Promise<ListWritesPlan> {
  const stored = owned && targets.length > 0 ? await readMembers(owned, targets) : new Map<string, number>();
  const positions = new Map(targets.map((target, index) => [keyOf(target), (index + 1) * POSITION_STEP]));
  for (const [key, position] of stored) {
    if (positions.get(key) === position) positions.delete(key);
  }
  const remove = { kind: owned ? 'allBut' : 'these', entries: owned ? targets : [] } as const;
  return { issues: [], writes: { remove, ...split(positions, (key) => stored.has(key)) } };
}

function stepOf(connect: Connect): ConnectStep {
  const { place } = connect;
  const key = keyOf(connect);
  return 'anchor' in place ? { key, place: { kind: place.kind, anchor: keyOf(place.anchor) } } : { key, place };
}

function issueOf({ kind, index }: ListFault, connect: readonly Connect[]): Issue[] {
  const element = connect[index];
  if (!element || !('anchor' in element.place)) return [];
  const { place, path, id } = element;
  const where = `${path.join('.')} can't place the entry ${id} ${place.kind} the entry ${place.anchor.id}`;
  const why =
    kind === 'circle' ? 'each of the two waits for the other' : `the entry ${place.anchor.id} is not in the list`;
  return [{ path, message: `${where}: ${why}` }];
}

type PartialChange = Extract<RelationChange, { kind: 'change' }>;

/** All entries that a change names. */
function namedEntries({ connect, disconnect }: PartialChange): EntryRef[] {
  return [...connect, ...disconnect, ...connect.flatMap(({ place }) => ('anchor' in place ? [place.anchor] : []))];
}

async function planPartial(owned: OwnedList | undefined, change: PartialChange): Promise<ListWritesPlan> {
  const stored = owned ? await readList(owned, namedEntries(change)) : EMPTY_LIST;
  const steps = { connect: change.connect.map(stepOf), disconnect: change.disconnect.map(keyOf) };
  const { removed, runs, faults } = planList(stored, steps);
  if (faults.length > 0) {
    return { issues: faults.flatMap((fault) => issueOf(fault, change.connect)), writes: NOTHING };
  }
  const positions = await placeRuns(runs, new Set([...removed, ...steps.connect.map(({ key }) => key)]), (...place) =>
    owned ? readNeighbours(owned, ...place) : Promise.resolve({ left: [], right: [] }),
  );
  const connected = new Set(steps.connect.map(({ key }) => key));
  const members = new Set(stored.members.map(({ key }) => key));
  return {
    issues: [],
    writes: {
      remove: { kind: 'these', entries: removed.map(refOf) },
      // What was not asked for but has a new position is a member that made room.
      ...split(positions, (key) => members.has(key) || !connected.has(key)),
    },
  };
}

/** Plans the writes of a list; of an entry that does not exist yet (`owner` undefined) the list is empty. Only reads. */
export async function planListWrites(
  tx: OwnedList['tx'],
  list: ListTable,
  owner: number | undefined,
  change: RelationChange,
): Promise<ListWritesPlan> {
  const owned = owner === undefined ? undefined : { tx, list, owner };
  return change.kind === 'set' ? planSet(owned, change.targets) : planPartial(owned, change);
}
