/**
 * Runs `beforeCreate` and `beforeUpdate`: they receive validated and cast data, and what they change has the rights of the
 * server.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../contract/content-type.ts';
import { sharedAttributes } from '../content/localization/shared-attributes.ts';
import type { Values } from '../contract/item-attributes.ts';
import { asNamed, type EntryRef, isRelationChange, keyOf, type Target } from '../content/relations/relation-change.ts';
import type { Trust } from '../content/relations/check-targets.ts';
import type { Issue } from '../contract/errors.ts';
import { hookData } from './hook-data.ts';
import { storedConditions } from './completeness.ts';
import type { StoredEntry, TypeContext, WriteRequest } from './context.ts';
import { checkData, sentValues, willBeDraft } from './entry-input.ts';
import { copyCallContext, runBefore } from './hooks.ts';

function addTargets(into: Set<string>, value: unknown): void {
  if (isRelationChange(value)) {
    const targets: readonly EntryRef[] | undefined = value.kind === 'set' ? value.targets : value.connect;
    for (const target of Array.isArray(targets) ? targets : []) into.add(keyOf(target));
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) addTargets(into, member);
  }
}

/** The relation targets that the request itself names, by attribute. */
function requestedTargets(values: Values): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(values).map(([name, value]) => {
      const targets = new Set<string>();
      addTargets(targets, value);
      return [name, targets];
    }),
  );
}

/**
 * What the hook, and not the request, has set. `checked` are the validated values before the hook; `requested` are these values in
 * the form for hooks, as they were passed to it.
 */
export function trustOf(checked: Values, requested: Values, result: Values): Trust {
  const targets = requestedTargets(checked);
  return {
    target: (target: Target) => targets.get(target.path[0] ?? '')?.has(keyOf(asNamed(target))) !== true,
    attribute: (attribute: string) =>
      !targets.has(attribute) && !isDeepStrictEqual(result[attribute], requested[attribute]),
  };
}

/** The parameters of the validation before the hook. */
interface Checking {
  /** Undefined if there is no entry yet. */
  readonly id?: number | undefined;
  readonly operation: 'create' | 'update';
  readonly draft: boolean;
  readonly othersPublished: boolean;
  /** The locale of the entry that is updated, if its type is localized. */
  readonly locale?: string | undefined;
  /** Set for a new locale of an entry, which takes shared attributes from the other locales. */
  readonly inherited?: true;
  /** The id of the entry that gets the new locale. */
  readonly localeOf?: number;
}

/** How an update of this entry is validated. */
export function updateChecking(
  type: ContentType,
  { id, published, localization }: StoredEntry,
  data: unknown,
): Checking {
  const draft = willBeDraft(type, data, !published);
  const othersPublished = localization?.othersPublished === true;
  return { id, operation: 'update', draft, othersPublished, locale: localization?.locale };
}

/**
 * The write after its before-hook, if the type has one. Data that fails validation is not passed to the hook; the validation that
 * follows refuses it. What the hook returns is merged over the data. Values that it adds or changes are trusted; those in the
 * request itself are still checked against the caller's rights.
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
  const row = id ?? localeOf;
  const inherits = id === undefined;
  const stored =
    row === undefined ? undefined : await storedConditions(context.database, context, row, { data: sent, inherits });
  const first = await checkData(context, { ...checking, data: write.data, notWritable, stored });
  const shared = new Set(inherited ? sharedAttributes(type).map(([shares]) => shares) : []);
  const missing = ({ path: [attribute = ''] }: Issue) => shared.has(attribute) && sent[attribute] === undefined;
  if (!first.issues.every(missing)) return { ...write, notWritable };
  const data = hookData(context.types, type.attributes, first.values);
  const requested = structuredClone(data);
  const about = name === 'beforeUpdate' ? { id } : { localeOf };
  const changed = await runBefore(hooks, name, { ...copyCallContext(write), ...about, data });
  const result: Record<string, unknown> = { ...data, ...sentValues(changed) };
  return { ...write, data: result, notWritable: 'taken', trusts: trustOf(first.values, requested, result) };
}
