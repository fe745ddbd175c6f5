/**
 * Entries that a write updates without naming them: they store a relation that changes from its other side, or that refers to what is
 * deleted. They are updated like any other entry: `beforeFind` decides whether the caller can reach them, and their hooks run.
 *
 * Which ones they are is only known while the write is planned, in its transaction, where no hook may run that belongs before it. The
 * plan is then given up, the hooks run, and the write is planned again.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../contract/content-type.ts';
import { ForbiddenError, type Issue, ValidationError } from '../contract/errors.ts';
import type { Values } from '../contract/item-attributes.ts';
import { MAX_SIDE_CHANGES } from '../contract/limits.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { requireAuthorityOver } from '../access/user-authority.ts';
import { NO_REACH, type Reach, type SideChange } from '../content/relations/reach.ts';
import type { Step, Subject, Transaction } from '../database/write-plan.ts';
import type { CallContext } from '../query/entry-request.ts';
import { entryHooks } from './after-hook.ts';
import type { EntryInput, HookedType, TypeContext } from './context.ts';
import { checkUpdate, sentValues } from './entry-input.ts';
import { copyCallContext, hasHook, runBefore } from './hooks.ts';
import { aroundRemoved, keyOf } from './removed-entries.ts';
import { valuesOfUpdate } from './rules/ruled-data.ts';
import { hasRuleOfUpdates, hasUpdateRule, requireWritableSide, unlinkableAmong } from './rules/side-rules.ts';
import { getEntry } from './stored-entry.ts';
import { planUpdate } from './update-entry.ts';
import { mayHideFrom, visibleAmong } from './visible-entry.ts';

/** Interrupts a plan: `prepare` must run outside of the transaction first. */
class UnpreparedError extends Error {
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super('a write is planned again after hooks of other entries');
    this.prepare = prepare;
  }
}

/** An entry with all changes of its relations. */
interface ChangedEntry {
  readonly context: HookedType;
  readonly id: number;
  /** What an update of the entry itself would contain. */
  readonly data: Record<string, { readonly connect: number[]; readonly disconnect: number[] }>;
  readonly path: readonly string[];
  /** Whether the server's own code makes all of the changes, so that no rule applies. */
  readonly isTrusted: boolean;
}

/** The other sides of one write. */
export interface OtherSides {
  readonly reach: Reach;
  /** To be called whenever the write is planned, also again after a deadlock. */
  begin(): void;
  /** The entries that the planned write updates, of types that are watched for it. */
  subjects(): readonly Subject[];
  /** Runs the write until all that it needs is prepared. */
  run<T>(write: () => Promise<T>): Promise<T>;
  /** To be called after the commit. */
  committed(): Promise<void>;
}

const UPDATE_HOOKS = ['beforeUpdate', 'afterUpdate', 'committed'];

function hasUpdateHooks({ hooks }: HookedType): boolean {
  return UPDATE_HOOKS.some((name) => hasHook(hooks, name));
}

function entriesOf(of: HookedType['of'], changes: readonly SideChange[]): readonly ChangedEntry[] {
  const entries = new Map<string, ChangedEntry>();
  for (const { type, id, attribute, gains, other, path, trusted } of changes) {
    const key = `${type.uid}:${id}`;
    const found = entries.get(key) ?? { context: of(type), id, data: {}, path: path.map(String), isTrusted: true };
    const entry = { ...found, isTrusted: found.isTrusted && trusted };
    entries.set(key, entry);
    if (attribute === undefined) continue;
    const relation = (entry.data[attribute] ??= { connect: [], disconnect: [] });
    if (other !== undefined) relation[gains ? 'connect' : 'disconnect'].push(other);
  }
  return [...entries.values()];
}

function tooMany({ uid }: ContentType, path: readonly string[]): ValidationError {
  const message = `more than ${MAX_SIDE_CHANGES} entries of ${uid} would change, each of which is checked or told to others: change fewer at a time`;
  const issue: Issue = { path: [...path], message };
  return new ValidationError([issue]);
}

/** What the hook adds to the update. It can't change the relation, which the request has set on its other side. */
async function addedByHook({ context, id, data }: ChangedEntry, call: CallContext): Promise<Values> {
  const { hooks, type } = context;
  if (!hasHook(hooks, 'beforeUpdate')) return {};
  const given = structuredClone(data);
  const event = { ...copyCallContext(call), id, data: given };
  const result: Values = { ...given, ...sentValues(await runBefore(hooks, 'beforeUpdate', event)) };
  for (const [name, value] of Object.entries(data)) {
    if (isDeepStrictEqual(result[name], value)) continue;
    throw new Error(
      `beforeUpdate of ${type.uid} changes ${name}, which is written from its other side: it may only refuse that`,
    );
  }
  return Object.fromEntries(Object.entries(result).filter(([name]) => !Object.hasOwn(data, name)));
}

export async function checkAdded(
  { context, id }: Pick<ChangedEntry, 'context' | 'id'>,
  added: Values,
): Promise<EntryInput> {
  if (Object.keys(added).length === 0) return {};
  const { database, type, server: caller, validators } = context;
  if (!validators) {
    throw new Error(`beforeUpdate of ${type.uid} adds values to an update from the other side of a relation`);
  }
  const stored = await getEntry(database, type, id);
  const typed: TypeContext = { ...context, validators };
  return checkUpdate(typed, stored, { data: added, caller, notWritable: 'taken' });
}

/** What a rule and the hook add to the update. */
async function added(entry: ChangedEntry, call: CallContext): Promise<Values> {
  const set = entry.isTrusted ? {} : await valuesOfUpdate(entry.context, call.caller);
  return { ...set, ...(await addedByHook(entry, call)) };
}

/** Whether somebody is told of updates of the type. */
function isTold({ tellsUpdates, type }: HookedType): boolean {
  return tellsUpdates?.has(type.uid) === true;
}

/** Whether somebody must know which entries of the type change. */
function isWatched(context: HookedType, call: CallContext): boolean {
  const isUser = context.type.uid === 'user' && call.caller.kind !== 'server';
  return (
    isUser ||
    isTold(context) ||
    hasUpdateHooks(context) ||
    mayHideFrom(context, call) ||
    hasRuleOfUpdates(call.caller, context.type)
  );
}

/** Whether hooks run or a rule is checked when the entry changes. */
function isChecked({ context, isTrusted }: ChangedEntry, caller: Caller): boolean {
  return hasUpdateHooks(context) || (!isTrusted && hasUpdateRule(context, caller));
}

/** Where no hook and no right of another entry can concern a write. */
const NONE: OtherSides = {
  reach: NO_REACH,
  begin: () => undefined,
  subjects: () => [],
  run: (write) => write(),
  committed: () => Promise.resolve(),
};

export function otherSides(context: HookedType, call: CallContext): OtherSides {
  return context.concernsOthers || call.caller.permissions.rules ? concernedSides(context, call) : NONE;
}

function concernedSides({ of, isTransaction }: HookedType, call: CallContext): OtherSides {
  const { caller } = call;
  const visible = new Map<string, boolean>();
  const inputs = new Map<string, EntryInput>();
  /** The entries whose `beforeDelete` has run. */
  const removing = new Set<string>();
  let after: (() => Promise<void>)[] = [];
  let told: Subject[] = [];

  /** Within a larger transaction, all of it is one, and hooks can run at once. */
  async function outside(prepare: () => Promise<void>): Promise<void> {
    if (!isTransaction) throw new UnpreparedError(prepare);
    await prepare();
  }

  async function hidden(type: ContentType, ids: readonly number[]): Promise<ReadonlySet<number>> {
    const open = [...new Set(ids)].filter((id) => !visible.has(keyOf(type, id)));
    if (open.length > 0) {
      await outside(async () => {
        const seen = await visibleAmong(of(type), open, call);
        for (const id of open) visible.set(keyOf(type, id), seen.has(id));
      });
    }
    return new Set(ids.filter((id) => visible.get(keyOf(type, id)) !== true));
  }

  /** Throws ForbiddenError for a deletion that would change a hidden entry. */
  async function requireReachable(changes: readonly SideChange[]): Promise<void> {
    for (const type of new Set(changes.map((change) => change.type))) {
      const ids = changes.flatMap((change) => (change.type === type && change.path.length === 0 ? [change.id] : []));
      if (ids.length === 0 || !mayHideFrom(of(type), call)) continue;
      if (ids.length > MAX_SIDE_CHANGES) throw tooMany(type, []);
      if ((await hidden(type, ids)).size === 0) continue;
      throw new ForbiddenError({ message: `entries of ${type.uid} refer to it that this role may not find` });
    }
  }

  async function prepare(entries: readonly ChangedEntry[]): Promise<void> {
    const open = entries.filter((entry) => !inputs.has(keyOfChange(entry)));
    if (open.length === 0) return;
    await outside(async () => {
      for (const entry of open) inputs.set(keyOfChange(entry), await checkAdded(entry, await added(entry, call)));
    });
  }

  function requireFew(entries: readonly ChangedEntry[]): void {
    const [first] = entries;
    if (first && entries.length > MAX_SIDE_CHANGES) throw tooMany(first.context.type, first.path);
  }

  /** Those who need not know each entry are told that there are many. */
  function noteTold(updated: readonly ChangedEntry[]): void {
    const each = updated.filter(({ context: { tellsUpdates, type } }) => tellsUpdates?.get(type.uid) === 'each');
    requireFew(each);
    const isMany = updated.length > MAX_SIDE_CHANGES;
    const kept = isMany ? each : updated;
    for (const { context, id } of kept) told.push({ action: 'update', type: context.type.uid, id });
    if (!isMany) return;
    for (const uid of new Set(updated.map(({ context }) => context.type.uid))) {
      told.push({ action: 'update', type: uid, id: undefined });
    }
  }

  async function stepsFor(tx: Transaction, entry: ChangedEntry): Promise<readonly Step[]> {
    const { context, id } = entry;
    const { types, type, server } = context;
    const hooks = entryHooks(context, 'afterUpdate', call, entry.isTrusted ? { action: null } : {});
    after.push(() => hooks.committed());
    const input = inputs.get(keyOfChange(entry)) ?? {};
    for (const read of hooks.before(id)) await read(tx);
    if (Object.keys(input).length === 0) return hooks.after(id);
    const stored = await getEntry(tx, type, id);
    const planned = await planUpdate({ tx, types, type, caller: server, reach }, stored, input);
    return [...planned.steps, ...hooks.after(id)];
  }

  const reach: Reach = {
    hides: caller.kind !== 'server',
    mayHide: (type) => mayHideFrom(of(type), call),
    hidden,
    unlinkable: (tx, type, ids) => unlinkableAmong(of(type), ids, call, tx),
    watches: (type) => isWatched(of(type), call),
    async removed(entries) {
      const { committed, ...around } = await aroundRemoved({ of, call, outside, hidden }, entries, removing);
      after.push(...committed);
      return around;
    },
    async changed(tx, changes) {
      const users = changes.filter(({ type, trusted }) => type.uid === 'user' && !trusted);
      await requireAuthorityOver(tx, caller, [...new Set(users.map(({ id }) => id))]);
      await requireReachable(changes);
      for (const change of changes) requireWritableSide(caller, change);
      const entries = entriesOf(of, changes);
      noteTold(entries.filter(({ context }) => isTold(context)));
      const hooked = entries.filter((entry) => isChecked(entry, caller));
      requireFew(hooked);
      await prepare(hooked);
      const steps: Step[] = [];
      for (const entry of hooked) steps.push(...(await stepsFor(tx, entry)));
      return steps;
    },
  };

  return {
    reach,
    begin() {
      after = [];
      told = [];
    },
    subjects: () => told,
    async run(write) {
      for (;;) {
        try {
          return await write();
        } catch (error) {
          if (!(error instanceof UnpreparedError)) throw error;
          await error.prepare();
        }
      }
    },
    async committed() {
      for (const each of after) await each();
    },
  };
}

/** The key of an entry in one state of its change: another change needs its hooks again. */
function keyOfChange({ context, id, data }: ChangedEntry): string {
  return `${context.type.uid}:${id} ${JSON.stringify(data)}`;
}
