/** `fields`: which scalar attributes are shown. */
import type { ContentType } from '../contract/content-type.ts';
import type { QueryContext } from './query-context.ts';
import { invalidParameter, pathOf, unknownAttribute } from './invalid-parameter.ts';
import { isQueryArray, type QueryValue, splitList, textOf } from './query-value.ts';
import type { Readable, ReadableAttributes, ReadableScalar } from './readable-attributes.ts';

function isShown(readable: Readable): readable is ReadableScalar {
  return readable.kind === 'scalar' && readable.name !== 'id' && readable.column !== 'document_id';
}

/** The requested names; undefined for all. */
function namesOf(value: QueryValue, parameter: string): string[] | undefined {
  if (isQueryArray(value)) {
    return value.length === 0 ? undefined : value.flatMap((element) => listOf(textOf(element, parameter)));
  }
  const text = textOf(value, parameter);
  if (text === '') {
    throw invalidParameter(parameter);
  }
  return listOf(text);
}

/** Splits names at commas. A string without any name counts as one (invalid) name. */
function listOf(text: string): string[] {
  const names = splitList(text);
  return names.length === 0 ? [text] : names;
}

/** In the v5 format drafts show no `publishedAt`, even if the entry is published. */
export function shownFields(fields: ReadableScalar[], context: QueryContext, type: ContentType): ReadableScalar[] {
  const { live, format } = context;
  if (live || !type.draftAndPublish || format.rules === 'v4') return fields;
  return fields.map((field) => (field.column === 'published_at' ? { ...field, isUnset: true } : field));
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
