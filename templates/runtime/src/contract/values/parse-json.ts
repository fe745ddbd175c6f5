/** Parses untrusted JSON. */
import { BadRequestError } from '../errors.ts';
import { isPrototypePollution, MAX_JSON_DEPTH } from './json.ts';

/** What a text has that spells a key which reaches a prototype. */
const SUSPICIOUS = /__proto__|constructor|\\u/;

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BadRequestError(`${what} is not valid JSON`);
  }
}

/** Whether a JSON text has as many brackets as it takes to be nested too deeply. Most have few, also counting those in strings. */
function hasManyBrackets(text: string): boolean {
  let found = 0;
  for (const bracket of '[{') {
    for (let index = text.indexOf(bracket); index >= 0; index = text.indexOf(bracket, index + 1)) {
      found += 1;
      if (found > MAX_JSON_DEPTH) return true;
    }
  }
  return false;
}

/** Whether arrays and objects in a JSON text are nested too deeply. Looks at the text, since parsing such a text is slow. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') inString = !inString;
    else if (inString) index += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function members(value: object, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const found: unknown[] = [];
  for (const [key, item] of Object.entries(value) as [string, unknown][]) {
    if (isPrototypePollution(key, item)) throw new BadRequestError(`${what} must not contain the key ${key}`);
    if (isContainer(item)) found.push(item);
  }
  return found;
}

/** The objects and arrays that are direct members of those in `level`. */
function nextLevel(level: readonly object[], what: string): object[] {
  const found: object[] = [];
  for (const value of level) {
    for (const item of members(value, what)) {
      if (isContainer(item)) found.push(item);
    }
  }
  return found;
}

/**
 * The value of a JSON text. Throws BadRequestError for malformed JSON, for keys that reach a prototype, and for more than 64 nested
 * levels, so that recursive code can't overflow the stack. `what`: what the message calls the text.
 */
export function parseJson(text: string, what = 'The body'): unknown {
  if (hasManyBrackets(text) && isTooDeep(text)) {
    throw new BadRequestError(`${what} must not be nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  const root = parse(text, what);
  if (!isContainer(root) || !SUSPICIOUS.test(text)) return root;
  for (let level: readonly object[] = [root]; level.length > 0; level = nextLevel(level, what));
  return root;
}
