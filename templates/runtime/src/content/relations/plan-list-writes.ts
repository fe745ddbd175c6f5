/** Plans the rows of a list to be written for a change. */
import type { Issue } from '../../contract/errors.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import type { Executor } from '../../database/executor.ts';
import type { TargetCheck } from './check-targets.ts';
import { type ListTable, storedList, type StoredOwnedList } from './list-table.ts';
import { placeRuns, type ReadNeighbors } from './place-runs.ts';
import { type ConnectStep, type ListFault, planList, type StoredList } from './plan-list.ts';
import { POSITION_STEP } from '../../contract/position-step.ts';
import { readList, readMembers, readNeighbors, readWholeList } from './read-list.ts';
import {
  asNamed,
  type Connect,
  type EntryRef,
  keyOf,
  refOf,
  type RelationChange,
  type Target,
} from './relation-change.ts';

/** An entry and its position in a list. */
export interface PlacedEntry extends EntryRef {
  readonly position: number;
}

/** The rows of a list to write. */
export interface ListWrites {
  /** Which entries leave the list: `these`, or `allBut` these. */
  readonly remove: { readonly kind: 'these' | 'allBut'; readonly entries: readonly EntryRef[] };
  /** New members. */
  readonly insert: readonly PlacedEntry[];
  /** Members that get a new position. */
  readonly move: readonly PlacedEntry[];
  /** Entries that go to the end of the list, whether they are members or not. If set, the other properties are empty. */
  readonly append?: readonly EntryRef[];
}

/** The planned writes of a list. */
export interface ListWritesPlan {
  readonly issues: readonly Issue[];
  /** Valid only if there are no issues. */
  readonly writes: ListWrites;
}

/** Reads the parts of a stored list that a change needs. */
export interface ListReader {
  /** The entries that are in the list: key → position. */
  members(entries: readonly EntryRef[]): Promise<ReadonlyMap<string, number>>;
  /** At least the part of the list that a change naming `entries` needs, and with `withEnds` the positions of its ends. */
  list(entries: readonly EntryRef[], withEnds: boolean): Promise<StoredList>;
  readonly neighbors: ReadNeighbors;
}

/** The caller whose rights are checked for a change of a list, and the parts that need no rights. */
export type WriteAuthority = Pick<TargetCheck, 'caller' | 'trusts'>;

const NOTHING: ListWrites = { remove: { kind: 'these', entries: [] }, insert: [], move: [] };
const EMPTY_LIST: StoredList = { members: [], first: undefined, last: undefined };

function split(
  positions: ReadonlyMap<string, number>,
  stored: (key: string) => boolean,
): Pick<ListWrites, 'insert' | 'move'> {
  const insert: PlacedEntry[] = [];
  const move: PlacedEntry[] = [];
  for (const [key, position] of positions) (stored(key) ? move : insert).push({ position, ...refOf(key) });
  return { insert, move };
}

async function planSet(reader: ListReader | undefined, targets: readonly Target[]): Promise<ListWritesPlan> {
  const stored = reader && targets.length > 0 ? await reader.members(targets) : new Map<string, number>();
  const positions = new Map(targets.map((target, index) => [keyOf(target), (index + 1) * POSITION_STEP]));
  for (const [key, position] of stored) {
    if (positions.get(key) === position) positions.delete(key);
  }
  const remove = { kind: reader ? 'allBut' : 'these', entries: reader ? targets : [] } as const;
  return { issues: [], writes: { remove, ...split(positions, (key) => stored.has(key)) } };
}

/** A key that no entry has. */
const NO_KEY = '';

/** Whether an element's anchor is hidden from the caller, and so counts as not in the list. Whoever sees a list sees its files. */
function hidesAnchor({ caller, trusts }: WriteAuthority, element: Connect, { type }: EntryRef): boolean {
  return type !== 'file' && !hasRight(caller, 'targets', type) && trusts?.target(element) !== true;
}

function stepOf(connect: Connect, authority: WriteAuthority | undefined): ConnectStep {
  const { position } = connect;
  const key = keyOf(connect);
  if (!('anchor' in position)) return { key, position };
  const { kind, anchor } = position;
  const isHidden = authority !== undefined && hidesAnchor(authority, connect, anchor);
  return { key, position: { kind, anchor: isHidden ? NO_KEY : keyOf(anchor) } };
}

function issueOf({ kind, index }: ListFault, connect: readonly Connect[]): Issue[] {
  const element = connect[index];
  if (!element || !('anchor' in element.position)) return [];
  const { position, path } = element;
  const anchor = asNamed({ ...position.anchor, path }).id;
  const where = `${path.join('.')} can't place the entry ${asNamed(element).id} ${position.kind} the entry ${anchor}`;
  const why = kind === 'cycle' ? 'the two positions depend on each other' : `the entry ${anchor} is not in the list`;
  return [{ path, message: `${where}: ${why}` }];
}

type PartialChange = Extract<RelationChange, { kind: 'change' }>;

/** All entries that a change names. */
function namedEntries({ connect, disconnect }: PartialChange): EntryRef[] {
  return [
    ...connect,
    ...disconnect,
    ...connect.flatMap(({ position }) => ('anchor' in position ? [position.anchor] : [])),
  ];
}

async function planPartial(
  reader: ListReader | undefined,
  change: PartialChange,
  authority: WriteAuthority | undefined,
): Promise<ListWritesPlan> {
  const withEnds = change.connect.some(({ position }) => !('anchor' in position));
  const stored = reader ? await reader.list(namedEntries(change), withEnds) : EMPTY_LIST;
  const steps = {
    connect: change.connect.map((element) => stepOf(element, authority)),
    disconnect: change.disconnect.map(keyOf),
  };
  const { removed, runs, faults } = planList(stored, steps);
  if (faults.length > 0) {
    return { issues: faults.flatMap((fault) => issueOf(fault, change.connect)), writes: NOTHING };
  }
  const positions = await placeRuns(runs, new Set([...removed, ...steps.connect.map(({ key }) => key)]), (...around) =>
    reader ? reader.neighbors(...around) : Promise.resolve({ left: [], right: [] }),
  );
  const connected = new Set(steps.connect.map(({ key }) => key));
  const members = new Set(stored.members.map(({ key }) => key));
  return {
    issues: [],
    writes: {
      remove: { kind: 'these', entries: removed.map(refOf) },
      // A key with a new position that isn't connected is a member that was moved to make room.
      ...split(positions, (key) => members.has(key) || !connected.has(key)),
    },
  };
}

/** Plans the writes of a list. Without a reader the list is empty; without an authority, the server itself changes it. */
export function planChange(
  reader: ListReader | undefined,
  change: RelationChange,
  authority?: WriteAuthority,
): Promise<ListWritesPlan> {
  return change.kind === 'set' ? planSet(reader, change.targets) : planPartial(reader, change, authority);
}

function readerOf(owned: StoredOwnedList): ListReader {
  return {
    members: (entries) => readMembers(owned, entries),
    list: (entries, withEnds) => readList(owned, entries, withEnds),
    neighbors: (...around) => readNeighbors(owned, ...around),
  };
}

/** Whether a change does nothing but put entries at the end of a list. */
function onlyAppends(change: RelationChange): change is PartialChange {
  return (
    change.kind === 'change' &&
    change.disconnect.length === 0 &&
    change.connect.every(({ position }) => position.kind === 'end')
  );
}

/** The writes of a list whose table also has links that only repeat its own: those that leave must be named. */
async function namingLeaving(owned: StoredOwnedList, writes: ListWrites): Promise<ListWrites> {
  if (writes.remove.kind === 'these') return writes;
  const stay = new Set(writes.remove.entries.map(keyOf));
  const entries = (await readWholeList(owned)).filter((entry) => !stay.has(keyOf(entry)));
  return { ...writes, remove: { kind: 'these', entries } };
}

/** Plans the writes of a list, which is empty if the owner doesn't exist yet (undefined). Only reads. */
export async function planListWrites(
  tx: Executor,
  list: ListTable,
  owner: number | undefined,
  change: RelationChange,
  authority?: WriteAuthority,
): Promise<ListWritesPlan> {
  const appends = onlyAppends(change);
  if (owner === undefined) {
    return appends ? planSet(undefined, change.connect) : planChange(undefined, change, authority);
  }
  if (change.kind === 'change' && change.connect.length === 0) {
    return { issues: [], writes: { ...NOTHING, remove: { kind: 'these', entries: change.disconnect } } };
  }
  // Owner and member are the table's primary key: an upsert suffices, without reading the list.
  if (appends && list.keyed) return { issues: [], writes: { ...NOTHING, append: change.connect } };
  const owned = storedList(tx, list, owner);
  const planned = await planChange(readerOf(owned), change, authority);
  return list.repeatedBy === undefined ? planned : { ...planned, writes: await namingLeaving(owned, planned.writes) };
}
