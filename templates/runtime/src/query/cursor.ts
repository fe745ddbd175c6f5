/**
 * Cursors for keyset pagination: what a client sends to get the page after another one. A cursor holds the sort values and the id
 * of the last entry of that page, so that inserted and deleted entries don't shift the pages, and a fingerprint of the list it
 * belongs to.
 */
import { createHash } from 'node:crypto';
import type { Canonical } from '../contract/attribute-types/attribute-type.ts';
import { castScalar, type ScalarType } from '../contract/attribute-types/scalar-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import type { CastResult } from '../contract/values/cast-result.ts';
import type { SlotTexts } from './bindings.ts';
import { isQueryArray, ownValue, type QueryObject, type QueryValue, Slot } from './query-value.ts';
import type { CursorPosition, SortKey } from './read-query.ts';

/** The parameters that, besides the order, must be equal for two pages to belong to the same list. */
const PARAMETERS = [
  'filters',
  '_q',
  'locale',
  'publicationState',
  'status',
  'publicationFilter',
  'hasPublishedVersion',
  'permitted',
] as const;

/** In characters. Longer cursors don't fit into a URL. */
const MAX_LENGTH = 8192;
const FINGERPRINT_LENGTH = 12;

/** A part of a query with the strings of its slots. */
function withTexts(value: QueryValue, texts: SlotTexts | undefined): unknown {
  if (typeof value === 'string') return value;
  if (value instanceof Slot) return texts?.[value.index] ?? value.value;
  if (isQueryArray(value)) return value.map((element) => withTexts(element, texts));
  return Object.entries(value).map(([name, inner]) => [name, withTexts(inner, texts)]);
}

/** A unique name for a sort key. */
function nameOf({ path, field, descending }: SortKey): string {
  const steps = path.map((step) => (step.kind === 'relation' ? step.relation.name : step.component.name));
  return `${[...steps, field.name].join('.')}:${descending ? 'desc' : 'asc'}`;
}

/** The fingerprint of a list: of its type, its order, and every parameter that selects entries; with `texts` in its slots. */
export function listFingerprint(
  { uid, query, sort }: { readonly uid: string; readonly query: QueryObject; readonly sort: readonly SortKey[] },
  texts?: SlotTexts,
): string {
  const chosen = PARAMETERS.map((name) => {
    const value = ownValue(query, name);
    return value === undefined || value === '' ? null : withTexts(value, texts);
  });
  // What entries were is a list of its own.
  const asOf = ownValue(query, 'asOf');
  const times = asOf === undefined ? [] : [withTexts(asOf, texts)];
  const text = JSON.stringify([uid, sort.map(nameOf), chosen, ...times]);
  return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** Serializes a position as a cursor. Throws BadRequestError if it would be too long to send. */
export function writeCursor(fingerprint: string, { values, id }: CursorPosition): string {
  const cursor = fingerprint + Buffer.from(JSON.stringify([...values, id])).toString('base64url');
  if (cursor.length > MAX_LENGTH) {
    throw new BadRequestError(
      'Invalid parameter pagination.after: the values that the list is sorted by are too long for a cursor; sort by another attribute, or use pagination[page]',
    );
  }
  return cursor;
}

/** A cursor that can't be used. */
export function refusedCursor(why: string): BadRequestError {
  return new BadRequestError(
    `Invalid parameter pagination.after: ${why}; send the value of meta.pagination.next, or an empty one to start at the beginning`,
  );
}

function decodeValues(text: string): readonly unknown[] | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/u.test(text)) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** The type that a value is sorted as: JSON is sorted as text, and so are decimals that SQLite looks up, which begin with a letter. */
function sortedType({ field }: SortKey, value: unknown): ScalarType {
  if (field.columnType === 'json') return 'text';
  return field.columnType === 'decimal' && typeof value === 'string' && /^[np]/u.test(value) ? 'text' : field.type;
}

/** Casts a sort value other than null. */
export function castKey(key: SortKey, value: unknown): CastResult<Canonical> {
  return castScalar(sortedType(key, value), value);
}

function valueOf(key: SortKey, value: unknown): Canonical {
  if (value === null) return null;
  const result = castKey(key, value);
  if (!result.ok) throw refusedCursor('it is not a value that this server has returned');
  return result.value;
}

/** Parses a cursor. Throws BadRequestError if it is malformed or belongs to another list. */
export function readCursor(cursor: string, fingerprint: string, sort: readonly SortKey[]): CursorPosition {
  const values = decodeValues(cursor.slice(FINGERPRINT_LENGTH));
  if (!values) throw refusedCursor('it is not a value that this server has returned');
  if (cursor.slice(0, FINGERPRINT_LENGTH) !== fingerprint || values.length !== sort.length + 1) {
    throw refusedCursor('it belongs to a list with a different order or different filters');
  }
  const id = values.at(-1);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) {
    throw refusedCursor('it is not a value that this server has returned');
  }
  return { values: sort.map((key, index) => valueOf(key, values[index])), id };
}
