/**
 * The shape of a query string, found without parsing it: the text with a mark in the place of each value that a filter compares
 * with. It costs a few comparisons for each parameter, where parsing costs a few function calls for each level of each.
 */

/** Stands for a value. No query string that is parsed has this character in it. */
export const MARK = '\0';

export interface QueryStringShape {
  /** The text with a `MARK` for each of `values`; brackets are not encoded in it. */
  readonly shape: string;
  /** Decoded, none of them empty. */
  readonly values: readonly string[];
}

/** `%5B` and `%5D` as brackets, wherever they stand: a value that holds them is decoded to the same text. */
function withBrackets(text: string): string {
  return text.includes('%5') ? text.replaceAll(/%5B/giu, '[').replaceAll(/%5D/giu, ']') : text;
}

/** A value, as it is written in a URL or a form; undefined where it is to be looked at by the parser. */
function decodeValue(raw: string): string | undefined {
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  try {
    const decoded = decodeURIComponent(spaced);
    return decoded.includes(MARK) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Operators whose value is no value to compare with: it is part of the shape. */
const PRESENCE = /\[(?:\$|%24)(?:null|notNull)\](?:\[\d*\])?$/u;

/** Where the value of a parameter begins that a filter compares with, or that is searched for; -1 if it has none. */
function comparedFrom(parameter: string): number {
  if (!parameter.startsWith('filters[') && !parameter.startsWith('_q=')) return -1;
  const bracket = parameter.indexOf(']=');
  const equals = bracket === -1 ? parameter.indexOf('=') : bracket + 1;
  return equals === -1 || PRESENCE.test(parameter.slice(0, equals)) ? -1 : equals + 1;
}

/** The shape of a query string. */
export function shapeOf(query: string): QueryStringShape {
  const values: string[] = [];
  if (!(query.includes('filters') || query.includes('_q=')) || query.includes(MARK)) return { shape: query, values };
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
    shape += text.slice(copied, start + from) + MARK;
    copied = end;
    values.push(value);
  }
  return { shape: shape + text.slice(copied), values };
}
