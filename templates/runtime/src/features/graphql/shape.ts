/** Shapes answers of the server's entries as a document asks for them. */
import type { AnswerBudget } from '../../base/cost/answer-budget.ts';
import { isObject, type JsonObject } from '../../content/relations/entry-ref.ts';
import type { AnswerError } from './errors.ts';

/** Where a value stands in the answer. */
export interface Path {
  readonly before: Path | undefined;
  readonly key: string | number;
}

export function pathList(path: Path | undefined): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = path; at; at = at.before) keys.push(at.key);
  return keys.reverse();
}

/** What one answer collects. */
export interface Shaping {
  readonly errors: AnswerError[];
  /** Of all fields together: an alias repeats what was read once. */
  readonly budget: Pick<AnswerBudget, 'size'>;
}

/** What a member takes besides its name and its value, in bytes. */
const MEMBER_SIZE = 4;

/** At least the bytes of a value, of which objects and lists are measured by their own members. */
function ownSize(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

/** More errors of one answer are not told: each repeats what is wrong with the document. */
const MOST_ERRORS = 100;

export function addError({ errors }: Shaping, error: AnswerError): void {
  if (errors.length < MOST_ERRORS) errors.push(error);
}

/** In place of a value that must not be null and is: its object is null, too. */
export const MISSING = Symbol('missing');

/** Reads the value of a field from what its object is shaped from. */
export type Read = (source: unknown, path: Path, shaping: Shaping) => unknown;

interface Member {
  readonly key: string;
  readonly isRequired: boolean;
  /** For messages: `Article.title`. */
  readonly field: string;
  readonly read: Read;
}

export type ObjectShape = readonly Member[];

function missing(field: string, path: Path, shaping: Shaping): typeof MISSING {
  addError(shaping, {
    message: `Cannot return null for non-nullable field ${field}.`,
    path: pathList(path),
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
  return MISSING;
}

/** The object, or `MISSING`. */
export function shapeObject(shape: ObjectShape, source: unknown, path: Path | undefined, shaping: Shaping): unknown {
  const made: Record<string, unknown> = {};
  for (const { key, isRequired, field, read } of shape) {
    const at = { before: path, key };
    const value = read(source, at, shaping);
    shaping.budget.size(key.length + MEMBER_SIZE + ownSize(value), undefined);
    if (value === MISSING) {
      if (isRequired) return MISSING;
      made[key] = null;
    } else if (value === null || value === undefined) {
      if (isRequired) return missing(field, at, shaping);
      made[key] = null;
    } else {
      made[key] = value;
    }
  }
  return made;
}

/** A list, of which each element is shaped. `MISSING` if an element is missing and none may be. */
export function shapeList(
  shapeOne: Read,
  isElementRequired: boolean,
  values: readonly unknown[],
  { path, shaping }: { readonly path: Path; readonly shaping: Shaping },
): unknown {
  const made: unknown[] = [];
  for (const [index, value] of values.entries()) {
    const shaped = shapeOne(value, { before: path, key: index }, shaping);
    if (shaped === MISSING && isElementRequired) return MISSING;
    made.push(shaped === MISSING ? null : shaped);
  }
  return made;
}

/** A value that is shown as text, such as an id. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? value.toString() : '';
}

/** The attributes of an entry, nested or flat. */
export function attributesOf(source: unknown, isNested: boolean): JsonObject {
  if (!isObject(source)) return {};
  const { attributes } = source;
  return isNested && isObject(attributes) ? attributes : source;
}

/** What a relation leads to: answers of v4 wrap it. */
export function unwrapped(value: unknown, isNested: boolean): unknown {
  return isNested && isObject(value) && Object.hasOwn(value, 'data') ? value['data'] : value;
}
