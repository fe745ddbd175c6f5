/**
 * What was typed and is not saved, kept for this tab, so that it outlives a reload. Nothing secret is kept: passwords are left out.
 */
import type { Attribute, Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import type { EntryTarget } from './entry-target.ts';

const PREFIX = 'content-gen.unsaved';

interface Kept {
  /** What the changed attributes were. */
  readonly base: FormValues;
  /** What they were changed to. */
  readonly values: FormValues;
}

/** What a form gets back. */
export interface Restored {
  readonly values: FormValues;
  /** Attributes that somebody else has changed since, and that are not told by one value: their change was not brought back. */
  readonly lost: readonly string[];
}

/** The place of an entry's changes; those of other people at this tab stand elsewhere. */
export function placeOf({ type, id, locale, otherLocaleOf }: EntryTarget, userId: number): string {
  return [PREFIX, userId, type.uid, id ?? 'new', locale ?? '', otherLocaleOf ?? ''].join('.');
}

function isSecret(attribute: Attribute, index: ModelIndex): boolean {
  switch (attribute.type) {
    case 'password':
      return true;
    case 'component':
      return holdSecrets(index.component(attribute.component).attributes, index);
    case 'dynamiczone':
      return attribute.components.some((uid) => holdSecrets(index.component(uid).attributes, index));
    default:
      return false;
  }
}

function holdSecrets(attributes: Attributes, index: ModelIndex): boolean {
  return Object.values(attributes).some((attribute) => isSecret(attribute, index));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** Keeps what differs from `base`; forgets what was kept where nothing does. */
export function keepChanges(
  place: string,
  attributes: Attributes,
  base: FormValues,
  values: FormValues,
  index: ModelIndex,
): void {
  const changed = Object.keys(attributes).filter((name) => {
    const attribute = attributes[name];
    return attribute && !isSecret(attribute, index) && !isSame(base[name], values[name]);
  });
  if (changed.length === 0) {
    forgetChanges(place);
    return;
  }
  const chosen = (from: FormValues): FormValues =>
    Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  const kept: Kept = { base: chosen(base), values: chosen(values) };
  try {
    sessionStorage.setItem(place, JSON.stringify(kept));
  } catch {
    // The browser keeps no more, or nothing at all: then leaving the page asks, and no more than that.
  }
}

export function forgetChanges(place: string): void {
  sessionStorage.removeItem(place);
}

/** What was kept, against the entry as it is by now. Undefined where there is nothing. */
export function restoreChanges(place: string, attributes: Attributes, current: FormValues): Restored | undefined {
  const text = sessionStorage.getItem(place);
  if (text === null) return undefined;
  const { base, values } = JSON.parse(text) as Kept;
  const names = Object.keys(values).filter((name) => Object.hasOwn(attributes, name));
  // A single value stands for itself. A change of a list is told by what the list was.
  const isGood = (name: string): boolean =>
    typeof values[name] !== 'object' || values[name] === null || isSame(base[name], current[name]);
  return {
    values: Object.fromEntries(names.filter(isGood).map((name) => [name, values[name]])),
    lost: names.filter((name) => !isGood(name)),
  };
}
