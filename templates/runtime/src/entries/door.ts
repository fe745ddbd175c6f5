/**
 * The one way to an entry that is written, of whatever type and in whatever format. A door says how its steps are done; which there are,
 * and in which order, is said here.
 */
import { NotFoundError, ValidationError } from '../contract/errors.ts';
import type { WriteAction } from '../contract/policy/caller.ts';
import { UniqueViolation } from '../database/database.ts';
import type { CallContext, EntryRequest } from '../query/entry-request.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import type { HookedType } from './context.ts';
import { runBeforeDelete } from './hooks.ts';
import { type EntryVersions, requirePreconditions } from './preconditions.ts';
import { permittedAmong, requirePermitted } from './rules/action-rules.ts';
import { StaleEntryError } from './stale-entry.ts';
import { requireVisible, visibleAmong } from './visible-entry.ts';

/** Who asks, and for which versions. */
type DoorRequest = CallContext & Pick<EntryRequest, 'expected'>;

/** What a write changes, or adds to. */
export interface Reached {
  /** The id of the row by which it is found; undefined for a new entry. */
  readonly row: number | undefined;
  /** The state at the address of the request, which preconditions are about; undefined if they don't apply, or are checked later. */
  readonly state?: { readonly now: EntryVersions | undefined };
}

/** How an entry is created or changed. */
export interface SaveDoor<Body, Target extends Reached, Input, Written = ReadEntry> {
  /** Refuses what is wrong with the request itself. */
  read(): Promise<Body>;
  /** Throws NotFoundError. `again`: what was found before has changed meanwhile. */
  resolve(body: Body, again: boolean): Promise<Target>;
  /** The action whose rule says which entries may be changed; undefined: no rule does. */
  action?(target: Target): WriteAction;
  /** Further rights. */
  authorize?(target: Target): Promise<void>;
  /** The error for an entry that is hidden from the caller. Default: NotFoundError. */
  hidden?(): Error;
  /** Runs the before-hooks; once for each row. */
  prepare(target: Target, body: Body): Promise<Input>;
  /** Validates, plans and writes. Throws StaleEntryError if the target has changed meanwhile. */
  write(target: Target, input: Input): Promise<Written>;
}

export interface Saved<Target, Written = ReadEntry> {
  readonly target: Target;
  readonly entry: Written;
}

/** Whether the write must be repeated after an error. */
async function isOutdated<Body, Target extends Reached>(
  error: unknown,
  { type }: HookedType,
  request: DoorRequest,
  {
    door,
    body,
    target,
  }: {
    readonly door: Pick<SaveDoor<Body, Target, never>, 'resolve'>;
    readonly body: Body;
    readonly target: Target;
  },
): Promise<boolean> {
  if (error instanceof StaleEntryError) return true;
  const isInvalid = error instanceof ValidationError && target.row !== undefined;
  if (!isInvalid && !(error instanceof UniqueViolation)) return false;
  // What is wrong with the data is told only if the request is otherwise still right.
  const { row, state } = await door.resolve(body, true);
  if (state) requirePreconditions(state.now, request, type);
  // The row may have been added by another request.
  return error instanceof UniqueViolation && row !== target.row;
}

export async function saveThrough<Body, Target extends Reached, Input, Written = ReadEntry>(
  context: HookedType,
  request: DoorRequest,
  door: SaveDoor<Body, Target, Input, Written>,
): Promise<Saved<Target, Written>> {
  const body = await door.read();
  const inputs = new Map<number | undefined, Input>();
  for (let again = false; ; again = true) {
    const target = await door.resolve(body, again);
    const { row, state } = target;
    if (row !== undefined) {
      await requireVisible(context, row, request, door.hidden);
      const action = door.action?.(target);
      if (action && action !== 'create') await requirePermitted(context, row, request, { action, hidden: door.hidden });
    }
    await door.authorize?.(target);
    if (state) requirePreconditions(state.now, request, context.type);
    const input = inputs.get(row) ?? (await door.prepare(target, body));
    inputs.set(row, input);
    try {
      return { target, entry: await door.write(target, input) };
    } catch (error) {
      if (!(await isOutdated(error, context, request, { door, body, target }))) throw error;
    }
  }
}

/** A row to be deleted. */
interface Found extends EntryVersions {
  readonly id: number;
}

/** How rows are deleted. */
export interface RemoveDoor<Body, Removed> {
  read(): Promise<Body>;
  find(body: Body): Promise<readonly Found[]>;
  /** Whether it makes no difference if there is nothing to delete. */
  readonly isSilent: boolean;
  /** Further rights, also before the hooks run. */
  authorize?(ids: readonly number[]): Promise<void>;
  /** Throws NotFoundError or StaleEntryError if one of them has been deleted or changed meanwhile. */
  remove(ids: readonly number[], body: Body): Promise<readonly Removed[]>;
}

/** The rows that the caller may delete. */
async function removable<Body, Removed>(
  context: HookedType,
  request: DoorRequest,
  door: RemoveDoor<Body, Removed>,
  body: Body,
): Promise<readonly number[]> {
  const found = await door.find(body);
  const ids = found.map(({ id }) => id);
  const seen = ids.length === 0 ? [] : [...(await visibleAmong(context, ids, request))];
  const visible = await permittedAmong(context, seen, request, 'delete');
  if (visible.size === 0 && !door.isSilent) throw new NotFoundError();
  for (const row of found) if (visible.has(row.id)) requirePreconditions(row, request, context.type);
  return ids.filter((id) => visible.has(id));
}

/** Deletes entries, all or none, and returns them as they were. */
export async function removeThrough<Body, Removed>(
  context: HookedType,
  request: DoorRequest,
  door: RemoveDoor<Body, Removed>,
): Promise<readonly Removed[]> {
  const body = await door.read();
  const hooksRan = new Set<number>();
  for (let ids = await removable(context, request, door, body); ids.length > 0;) {
    if (context.hooks?.beforeDelete) await door.authorize?.(ids);
    for (const id of ids.filter((each) => !hooksRan.has(each))) {
      hooksRan.add(id);
      await runBeforeDelete(context.hooks, id, request);
    }
    try {
      return await door.remove(ids, body);
    } catch (error) {
      const isStale = error instanceof StaleEntryError;
      if (!isStale && !(error instanceof NotFoundError)) throw error;
      const remaining = await removable(context, request, door, body);
      // Another request may have deleted one of them. But a hook may throw NotFoundError, too.
      if (!isStale && ids.every((id) => remaining.includes(id))) throw error;
      ids = remaining;
    }
  }
  return [];
}
