/** What `beforeCreate` and `beforeUpdate` make of a write: they see what was checked and cast, and what they change is the server's own. */
import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../contract/content-type.ts';
import { sharedAttributes } from '../content/localization/shared-attributes.ts';
import type { Values } from '../contract/item-attributes.ts';
import { type EntryRef, isRelationChange, keyOf, type Target } from '../content/relations/relation-change.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import type { Issue } from '../contract/errors.ts';
import { isRecord } from '../content/validators/attributes.ts';
import type { StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { checkData, sentValues, willBeDraft } from './entry-input.ts';
import { askerIn, runBefore } from './hooks.ts';

/** A value as a hook gets it: cast, but relations in the form in which they were sent. */
function hookValue(checked: unknown, sent: unknown): unknown {
  if (isRelationChange(checked)) return sent;
  if (Array.isArray(checked)) {
    const items: readonly unknown[] = Array.isArray(sent) ? sent : [];
    return checked.map((item, index) => hookValue(item, items[index]));
  }
  return isRecord(checked) ? hookValues(checked, sentValues(sent)) : checked;
}

/** Checked values as a hook gets them. `sent` are the same as they came. */
export function hookValues(checked: Values, sent: Values): Record<string, unknown> {
  return Object.fromEntries(Object.entries(checked).map(([name, value]) => [name, hookValue(value, sent[name])]));
}

function addTargets(into: Set<string>, value: unknown): void {
  if (isRelationChange(value)) {
    const targets: readonly EntryRef[] | undefined = value.kind === 'set' ? value.targets : value.connect;
    for (const target of Array.isArray(targets) ? targets : []) into.add(keyOf(target));
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) addTargets(into, member);
  }
}

/** What the request itself relates to: attribute → its targets. */
function requestedTargets(values: Values): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(values).map(([name, value]) => {
      const targets = new Set<string>();
      addTargets(targets, value);
      return [name, targets];
    }),
  );
}

/** What of the values after a hook is the hook's own. `checked` are the values before it, `requested` the same as the hook got them. */
export function trustOf(checked: Values, requested: Values, result: Values): Trust {
  const targets = requestedTargets(checked);
  return {
    target: ({ path: [attribute = ''], ...target }: Target) => targets.get(attribute)?.has(keyOf(target)) !== true,
    attribute: (attribute: string) =>
      !targets.has(attribute) && !isDeepStrictEqual(result[attribute], requested[attribute]),
  };
}

/** What else a request has to say of a write, for its first check. */
interface Checking {
  /** Undefined where there is no entry yet. */
  readonly id?: number | undefined;
  readonly operation: 'create' | 'update';
  readonly draft: boolean;
  readonly othersPublished: boolean;
  /** It is a locale of an entry, whose other locales have what they share. */
  readonly inherited?: true;
  /** The entry that it is a locale of. */
  readonly localeOf?: number;
}

/** How the update of an entry is checked. */
export function updateChecking(
  type: ContentType,
  { id, published, localization }: StoredEntry,
  data: unknown,
): Checking {
  const draft = willBeDraft(type, data, !published);
  return { id, operation: 'update', draft, othersPublished: localization?.othersPublished === true };
}

/**
 * The write after its before-hook, if the type has one. Data that fails its check is not shown to the hook: the check that follows
 * refuses it. What a hook returns is laid over the data; values that it adds or changes are trusted, and what the request itself
 * names keeps being checked by the rights of its caller.
 */
export async function withBeforeHook<W extends Omit<WriteRequest, 'checked'>>(
  context: TypeContext,
  write: W,
  { id, inherited, localeOf, ...checking }: Checking,
): Promise<W> {
  const { hooks, type } = context;
  const sent = sentValues(write.data);
  const name = checking.operation === 'create' && type.kind === 'collectionType' ? 'beforeCreate' : 'beforeUpdate';
  if (!hooks?.[name]) return write;
  const notWritable = write.caller.kind === 'server' ? 'taken' : 'awaited';
  const first = await checkData(context, { ...checking, data: write.data, notWritable });
  const shared = new Set(inherited ? sharedAttributes(type).map(([shares]) => shares) : []);
  const missing = ({ path: [attribute = ''] }: Issue) => shared.has(attribute) && sent[attribute] === undefined;
  if (!first.issues.every(missing)) return { ...write, notWritable };
  const data = hookValues(first.values, sent);
  const requested = structuredClone(data);
  const about = name === 'beforeUpdate' ? { id } : { localeOf };
  const changed = await runBefore(hooks, name, { ...askerIn(write), ...about, data });
  const result: Record<string, unknown> = { ...data, ...sentValues(changed) };
  return { ...write, data: result, notWritable: 'taken', trusts: trustOf(first.values, requested, result) };
}
