/** `fields`: which scalar attributes are shown. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { QueryContext } from './query-context.ts';
import { pathOf, unknownAttribute } from './invalid-parameter.ts';
import { isQueryArray, type QueryValue, splitList, textOf } from './query-value.ts';
import type { Readable, ReadableAttributes, ReadableScalar } from './readable-attributes.ts';

function isShown(readable: Readable): readable is ReadableScalar {
  return readable.kind === 'scalar' && readable.name !== 'id' && readable.column !== COLUMN_NAMES.documentId;
}

/** The requested names; undefined for all. */
function namesOf(value: QueryValue, parameter: string): string[] | undefined {
  const elements = isQueryArray(value) ? value : [value];
  const names = elements.flatMap((element) => listOf(textOf(element, parameter)));
  return names.length === 0 ? undefined : names;
}

/** Splits names at commas. A string of nothing but commas and blanks counts as one (invalid) name. */
function listOf(text: string): string[] {
  if (text === '') return [];
  const names = splitList(text);
  return names.length === 0 ? [text] : names;
}

/** Whether a field counts as null: in the v5 format drafts have no `publishedAt`, even if the entry is published. */
export function isUnset({ isStatus }: ReadableScalar, { live, format }: QueryContext): boolean {
  return isStatus === true && !live && format.rules === 'v5';
}

/** The fields as they are shown. */
export function shownFields(fields: ReadableScalar[], context: QueryContext): ReadableScalar[] {
  return fields.map((field) => (isUnset(field, context) ? { ...field, isUnset: true } : field));
}

/**
 * The fields to show, in the requested order, without duplicates: all of them if `value` is undefined, empty or contains `*`.
 * Naming `id` is allowed but has no effect: it is always shown. Throws BadRequestError for a name that is not a readable scalar
 * attribute.
 */
export function parseFields(
  value: QueryValue | undefined,
  attributes: ReadableAttributes,
  parameter = 'fields',
): ReadableScalar[] {
  const usable = () => [...attributes.values()].filter(isShown).map(({ name }) => name);
  const names = value === undefined ? undefined : namesOf(value, parameter);
  const fields = new Map<string, ReadableScalar>();
  for (const name of names ?? []) {
    const readable = attributes.get(name);
    if (readable?.kind === 'scalar') {
      fields.set(name, readable);
    } else if (name !== '*') {
      throw unknownAttribute(pathOf(parameter, name), name, { owner: attributes.owner, usable: usable() });
    }
  }
  return names === undefined || names.includes('*')
    ? [...attributes.values()].filter(isShown)
    : [...fields.values()].filter(isShown);
}
