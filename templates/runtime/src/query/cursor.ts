/**
 * Cursors: what a client sends to get the page behind another one. One holds the values by which the last entry of that page was
 * sorted, and its id, so that entries which come and go meanwhile move nothing; and a mark of the list that it is of.
 */
import { createHash } from 'node:crypto';
import type { Canonical } from '../contract/attribute-types/attribute-type.ts';
import { castScalar } from '../contract/attribute-types/scalar-type.ts';
import { BadRequestError } from '../contract/errors.ts';
import type { CastResult } from '../contract/values/cast-result.ts';
import { isQueryArray, own, type QueryObject, type QueryValue, Slot } from './query-value.ts';
import type { Place, SortKey } from './read-query.ts';

/** What has to be equal for two pages to be of one list, beside the order of their entries. */
const PARAMETERS = ['filters', '_q', 'locale', 'publicationState', 'status'] as const;

/** Longer ones fit into no URL. */
const MAX_LENGTH = 8192;
const MARK_LENGTH = 12;

/** A part of a query with all of its texts, which are then a part of its shape. */
function plain(value: QueryValue): unknown {
  if (typeof value === 'string') return value;
  if (value instanceof Slot) return value.read();
  if (isQueryArray(value)) return value.map(plain);
  return Object.entries(value).map(([name, inner]) => [name, plain(inner)]);
}

/** How a sort key is told from all others. */
function nameOf({ path, field, descending }: SortKey): string {
  const steps = path.map((step) => (step.kind === 'relation' ? step.relation.name : step.component.name));
  return `${[...steps, field.name].join('.')}:${descending ? 'desc' : 'asc'}`;
}

/** The mark of a list: of its type, its order, and all that says which entries are in it. */
export function markOf(uid: string, query: QueryObject, sort: readonly SortKey[]): string {
  const chosen = PARAMETERS.map((name) => {
    const value = own(query, name);
    return value === undefined || value === '' ? null : plain(value);
  });
  const text = JSON.stringify([uid, sort.map(nameOf), chosen]);
  return createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);
}

/** The place of an entry as text. Throws BadRequestError where it is too long to be sent. */
export function writeCursor(mark: string, { values, id }: Place): string {
  const cursor = mark + Buffer.from(JSON.stringify([...values, id])).toString('base64url');
  if (cursor.length > MAX_LENGTH) {
    throw new BadRequestError(
      'Invalid parameter pagination.after: the texts that the list is sorted by are too long for pages by key; sort it by another attribute, or use pagination[page]',
    );
  }
  return cursor;
}

function refused(why: string): BadRequestError {
  return new BadRequestError(
    `Invalid parameter pagination.after: ${why}; send what meta.pagination.next said, or nothing to begin anew`,
  );
}

function valuesIn(text: string): readonly unknown[] | undefined {
  if (text.length > MAX_LENGTH || !/^[\w-]+$/u.test(text)) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Casts what entries are sorted by, where it is not null: of JSON, that is its text. */
export function castKey({ field }: SortKey, value: unknown): CastResult<Canonical> {
  return castScalar(field.columnType === 'json' ? 'text' : field.type, value);
}

function valueOf(key: SortKey, value: unknown): Canonical {
  if (value === null) return null;
  const result = castKey(key, value);
  if (!result.ok) throw refused('it is no value that this server has answered');
  return result.value;
}

/** The place that a cursor names. Throws BadRequestError for one of another list, and for what is none. */
export function readCursor(cursor: string, mark: string, sort: readonly SortKey[]): Place {
  const values = valuesIn(cursor.slice(MARK_LENGTH));
  if (!values) throw refused('it is no value that this server has answered');
  if (cursor.slice(0, MARK_LENGTH) !== mark || values.length !== sort.length + 1) {
    throw refused('it belongs to a list with another order or other filters');
  }
  const id = values.at(-1);
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) {
    throw refused('it is no value that this server has answered');
  }
  return { values: sort.map((key, index) => valueOf(key, values[index])), id };
}
