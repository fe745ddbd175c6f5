/** Parses a query string into a query: nested values, within fixed limits and without prototypes. */
import type { IParseOptions } from 'qs';
import { BadRequestError } from '../contract/errors.ts';
import { loadQs } from '../base/lazy-packages.ts';
import { type EntryQuery, MAX_SHAPE_LENGTH } from './entry-query.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { PLACEHOLDER, shapeOf } from './query-string-shape.ts';
import { type QueryObject, type QueryValue, Slot } from './query-value.ts';

/** In characters, before decoding. */
export const MAX_LENGTH = 128 * 1024;
/** Levels of brackets. */
export const MAX_DEPTH = 30;
export const MAX_PARAMETERS = 5000;
/** Elements of one array. */
export const MAX_ELEMENTS = 1500;

type Decode = (text: string, decode?: undefined, charset?: string) => string;

function nullCharacter(): BadRequestError {
  return new BadRequestError('The query string must not contain U+0000');
}

function decodePart(text: string, decode: Decode, charset: string, kind: 'key' | 'value'): string {
  // A placeholder: no decoded string begins with one.
  if (text.startsWith(PLACEHOLDER)) return text;
  const decoded = decode(text, undefined, charset);
  if (decoded.includes('\0')) {
    throw nullCharacter();
  }
  // The parser would silently drop such a key, and with it perhaps a condition.
  if (kind === 'key' && decoded.includes('__proto__')) {
    throw invalidParameter('__proto__');
  }
  return decoded;
}

const OPTIONS = {
  depth: MAX_DEPTH,
  strictDepth: true,
  parameterLimit: MAX_PARAMETERS,
  arrayLimit: MAX_ELEMENTS,
  throwOnLimitExceeded: true,
  allowEmptyArrays: true,
  plainObjects: true,
  decoder: decodePart,
};

function limitError(error: RangeError): BadRequestError {
  if (error.message.startsWith('Input depth')) {
    return new BadRequestError(`The query string is nested deeper than ${MAX_DEPTH} levels`);
  }
  return error.message.startsWith('Parameter limit')
    ? new BadRequestError(`The query string has more than ${MAX_PARAMETERS} parameters`)
    : new BadRequestError(`The query string has an array of more than ${MAX_ELEMENTS} elements`);
}

function parse(text: string): QueryObject {
  if (text === '') return Object.create(null) as QueryObject;
  try {
    return loadQs().parse(text, OPTIONS as IParseOptions) as QueryObject;
  } catch (error) {
    throw error instanceof RangeError ? limitError(error) : error;
  }
}

/** Replaces numbered placeholders by their slots. */
function withSlots(value: QueryValue, values: readonly string[]): QueryValue {
  if (typeof value === 'string') {
    if (!value.startsWith(PLACEHOLDER)) return value;
    const index = Number(value.slice(PLACEHOLDER.length));
    return new Slot(index, values[index] ?? '');
  }
  if (Array.isArray(value)) return value.map((element) => withSlots(element as QueryValue, values));
  const object = Object.create(null) as Record<string, QueryValue>;
  for (const [name, inner] of Object.entries(value)) object[name] = withSlots(inner, values);
  return object;
}

function parseWithSlots(shape: string, values: readonly string[]): QueryObject {
  let count = 0;
  const numbered = shape.replaceAll(PLACEHOLDER, () => `${PLACEHOLDER}${count++}`);
  return withSlots(parse(numbered), values) as QueryObject;
}

/** A query that is parsed without slots and not cached. */
function plainQuery(tree: () => QueryObject): EntryQuery {
  return { shape: undefined, values: [], tree };
}

/**
 * The query of a query string without its `?`: brackets may be percent-encoded, repeated keys become arrays, `a[]=` is an empty
 * array, empty pairs are ignored. Its `tree` throws BadRequestError if the query string is too long, nested too deep or has too
 * many parts.
 */
export function parseQuery(text: string): EntryQuery {
  if (text.length > MAX_SHAPE_LENGTH) {
    return plainQuery(() => {
      if (text.length <= MAX_LENGTH) return parse(text);
      throw new BadRequestError(`The query string is longer than ${MAX_LENGTH} characters`);
    });
  }
  if (text.includes(PLACEHOLDER)) {
    return plainQuery(() => {
      throw nullCharacter();
    });
  }
  const { shape, values } = shapeOf(text);
  return { shape, values, tree: () => (values.length === 0 ? parse(text) : parseWithSlots(shape, values)) };
}
