/** Unsaved changes, kept in sessionStorage so that they survive a reload. Passwords are never stored. */
import { attributeType } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import type { Attribute, Attributes } from '../model/model.ts';
import type { ModelIndex } from '../model/model-context.tsx';
import type { FormValues } from '../rest/form-values.ts';
import { isStored } from '../rest/is-stored.ts';
import { isSame } from '../rest/same-value.ts';
import type { EntryTarget } from './entry-target.ts';
import { removeText, storedText, storeText } from './kept-storage.ts';

const PREFIX = 'content-gen.unsaved';

export interface KeptChanges {
  /** Stored values of the changed attributes. */
  readonly base: FormValues;
  /** Their values in the form. */
  readonly values: FormValues;
}

/** Changes restored to a form. */
export interface Restored {
  readonly values: FormValues;
  /** Attributes with structured values that someone else has changed since; these changes are not restored. */
  readonly lost: readonly string[];
}

/** The storage key for changes of an entry, separate for each user. */
export function placeOf({ type, id, locale, otherLocaleOf }: EntryTarget, userId: number): string {
  return [PREFIX, userId, type.uid, id ?? 'new', locale ?? '', otherLocaleOf ?? ''].join('.');
}

function isSecret(attribute: Attribute, index: ModelIndex): boolean {
  switch (attribute.type) {
    case 'component':
      return holdSecrets(index.component(attribute.component).attributes, index);
    case 'dynamiczone':
      return attribute.components.some((uid) => holdSecrets(index.component(uid).attributes, index));
    case 'relation':
    case 'media':
      return false;
    default:
      return attributeType(attribute.type).isSecret === true;
  }
}

function holdSecrets(attributes: Attributes, index: ModelIndex): boolean {
  return Object.values(attributes).some((attribute) => isSecret(attribute, index));
}

/** The values that may be stored in the browser. */
export function withoutSecrets(values: FormValues, attributes: Attributes, index: ModelIndex): FormValues {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const attribute = attributes[name];
      return !attribute || !isSecret(attribute, index);
    }),
  );
}

/** The values that differ from `base` and may be stored; undefined if there are none. */
export function changesToKeep(
  attributes: Attributes,
  base: FormValues,
  values: FormValues,
  index: ModelIndex,
): KeptChanges | undefined {
  const changed = Object.keys(attributes).filter((name) => {
    const attribute = attributes[name];
    return attribute && !isSecret(attribute, index) && !isSame(base[name], values[name]);
  });
  const chosen = (from: FormValues): FormValues =>
    Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  return changed.length === 0 ? undefined : { base: chosen(base), values: chosen(values) };
}

/** Compares kept changes with the current entry. Undefined if none are left. */
export function restoredChanges(
  { base, values }: KeptChanges,
  attributes: Attributes,
  current: FormValues,
  index: ModelIndex,
): Restored | undefined {
  // Equal values were saved before the reload. What can't be compared was not.
  const names = Object.keys(values).filter((name) => {
    const attribute = attributes[name];
    const [kept, now] = [values[name], current[name]];
    return attribute && !isSame(kept, now) && (now === undefined || !isStored(attribute, kept, now, index));
  });
  if (names.length === 0) return undefined;
  // Scalars replace the current value. A structured value is only valid if its base is unchanged.
  const isGood = (name: string): boolean =>
    typeof values[name] !== 'object' || values[name] === null || isSame(base[name], current[name]);
  return {
    values: Object.fromEntries(names.filter(isGood).map((name) => [name, values[name]])),
    lost: names.filter((name) => !isGood(name)),
  };
}

/** Stores the values that differ from `base`; removes the stored changes if none do. */
export function keepChanges(
  place: string,
  attributes: Attributes,
  base: FormValues,
  values: FormValues,
  index: ModelIndex,
): void {
  const kept = changesToKeep(attributes, base, values, index);
  if (kept) storeText(place, JSON.stringify(kept));
  else forgetChanges(place);
}

export function forgetChanges(place: string): void {
  removeText(place);
}

/** The stored changes that are not in the current entry. Undefined if there are none. */
export function restoreChanges(
  place: string,
  attributes: Attributes,
  current: FormValues,
  index: ModelIndex,
): Restored | undefined {
  const text = storedText(place);
  return text === undefined ? undefined : restoredChanges(JSON.parse(text) as KeptChanges, attributes, current, index);
}
