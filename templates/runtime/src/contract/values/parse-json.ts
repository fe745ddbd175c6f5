/** Parses untrusted JSON. */
import { BadRequestError } from '../errors.ts';
import { isPrototypePollution, MAX_JSON_DEPTH } from './json.ts';

const OPENING = /[[{]/g;
const SUSPICIOUS = /__proto__|constructor|\\u/;

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadRequestError('The body is not valid JSON');
  }
}

/** Quick check: whether a text has too few brackets to be nested too deeply, and no way to spell a key that reaches a prototype. */
function isHarmless(text: string): boolean {
  OPENING.lastIndex = 0;
  for (let opened = 0; OPENING.test(text); opened += 1) {
    if (opened === MAX_JSON_DEPTH) return false;
  }
  return !SUSPICIOUS.test(text);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function members(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const found: unknown[] = [];
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (isPrototypePollution(key, item)) throw new BadRequestError(`The body must not contain the key ${key}`);
    if (isContainer(item)) found.push(item);
  }
  return found;
}

/** The objects and arrays that are direct members of those in `level`. */
function nextLevel(level: readonly object[]): object[] {
  const found: object[] = [];
  for (const value of level) {
    for (const item of members(value)) {
      if (isContainer(item)) found.push(item);
    }
  }
  return found;
}

/**
 * The value of a JSON text. Throws BadRequestError for malformed JSON, for keys that reach a prototype, and for more than 64 nested
 * levels, so that recursive code can't overflow the stack.
 */
export function parseJson(text: string): unknown {
  const root = parse(text);
  if (!isContainer(root) || isHarmless(text)) return root;
  let level: readonly object[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_JSON_DEPTH) {
      throw new BadRequestError(`The body must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
    }
    level = nextLevel(level);
  }
  return root;
}
