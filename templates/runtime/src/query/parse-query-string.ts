/** The raw query string as nested values, within fixed limits and without prototypes. */
import type { IParseOptions } from 'qs';
import { BadRequestError } from '../contract/errors.ts';
import { loadQs } from '../base/late-packages.ts';
import { invalidParameter } from './invalid-parameter.ts';
import type { QueryObject } from './query-value.ts';

/** In characters, as it came. */
const MAX_LENGTH = 128 * 1024;
/** Levels of brackets. */
const MAX_DEPTH = 30;
const MAX_PARAMETERS = 5000;
/** Elements of one array. */
const MAX_ELEMENTS = 1500;

type Decode = (text: string, decode?: undefined, charset?: string) => string;

function decodePart(text: string, decode: Decode, charset: string, kind: 'key' | 'value'): string {
  const decoded = decode(text, undefined, charset);
  if (decoded.includes('\0')) {
    throw new BadRequestError('The query string must not contain U+0000');
  }
  // The parser would drop such a key without a word, and with it perhaps a condition.
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

/**
 * Parses a query string without its `?`: brackets encoded or raw, repeated keys as arrays, `a[]=` as an empty array,
 * empty pairs ignored. Throws BadRequestError for one that is too long, too deep or has too many parts.
 */
export function parseQueryString(text: string): QueryObject {
  if (text === '') return Object.create(null) as QueryObject;
  if (text.length > MAX_LENGTH) {
    throw new BadRequestError(`The query string is longer than ${MAX_LENGTH} characters`);
  }
  try {
    return loadQs().parse(text, OPTIONS as IParseOptions) as QueryObject;
  } catch (error) {
    throw error instanceof RangeError ? limitError(error) : error;
  }
}
