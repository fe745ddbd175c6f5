/**
 * Finds the shape of a query string without parsing it: the string with a placeholder in place of each value that a filter compares
 * with. This costs a few comparisons per parameter, whereas parsing costs a few function calls per level of each parameter.
 */
import { isPresence, OPERATORS } from '../contract/operators.ts';

/** A placeholder for a value. Query strings that contain this character are not parsed. */
export const PLACEHOLDER = '\0';

export interface QueryStringShape {
  /** The query string with a `PLACEHOLDER` for each of `values`; its brackets are decoded. */
  readonly shape: string;
  /** Decoded; none is empty. */
  readonly values: readonly string[];
}

/** Decodes `%5B` and `%5D` everywhere. This is safe inside values, which are decoded anyway. */
function withBrackets(text: string): string {
  return text.includes('%5') ? text.replaceAll(/%5B/giu, '[').replaceAll(/%5D/giu, ']') : text;
}

/** Decodes a value as in URLs and forms; undefined if it is left to the parser. */
function decodeValue(raw: string): string | undefined {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  try {
    const decoded = decodeURIComponent(spaced);
    return decoded.includes(PLACEHOLDER) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const PRESENCE_NAMES = Object.keys(OPERATORS).filter(isPresence);

/** Parameters whose value is not compared with anything: it is part of the shape. */
const PRESENCE = new RegExp(
  String.raw`\[(?:\$|%24)(?:${PRESENCE_NAMES.map((name) => name.slice(1)).join('|')})\](?:\[\d*\])?$`,
  'u',
);

const CURSOR = 'pagination[after]=';

/** The index at which a parameter's compared or searched value begins, or its cursor; -1 if it has none. */
function comparedFrom(parameter: string): number {
  if (parameter.startsWith(CURSOR)) return CURSOR.length;
  if (!parameter.startsWith('filters[') && !parameter.startsWith('_q=')) return -1;
  const bracket = parameter.indexOf(']=');
  const equals = bracket === -1 ? parameter.indexOf('=') : bracket + 1;
  return equals === -1 || PRESENCE.test(parameter.slice(0, equals)) ? -1 : equals + 1;
}

/** What the names of parameters with such values contain. */
const HINTS = ['filters', '_q=', 'after'];

/** The shape of a query string. */
export function shapeOf(query: string): QueryStringShape {
  const values: string[] = [];
  if (!HINTS.some((hint) => query.includes(hint)) || query.includes(PLACEHOLDER)) {
    return { shape: query, values };
  }
  const text = withBrackets(query);
  let shape = '';
  let copied = 0;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    const next = text.indexOf('&', start);
    end = next === -1 ? text.length : next;
    const parameter = text.slice(start, end);
    const from = comparedFrom(parameter);
    if (from === -1 || from === parameter.length) continue;
    const value = decodeValue(parameter.slice(from));
    if (value === undefined) continue;
    shape += text.slice(copied, start + from) + PLACEHOLDER;
    copied = end;
    values.push(value);
  }
  return { shape: shape + text.slice(copied), values };
}
