/** Parsers of defaults in schemas that several types share. */
import { compareDecimals } from '../values/decimal.ts';
import type { JsonValue } from '../values/json.ts';
import type { AttributeType, Bound, ReadResult, ScalarRules, WrittenValue } from './attribute-type.ts';

type ReadDefault = NonNullable<AttributeType['readDefault']>;

/** Accepts text that satisfies the attribute's rules, and the type's `format`. */
export function readText(format?: {
  readonly problem: (text: string) => string | undefined;
  readonly expected: string;
}): ReadDefault {
  return ({ value }, { minLength, maxLength, regex }) => {
    if (typeof value !== 'string') return { expected: 'a text' };
    const length = [...value].length;
    if (minLength !== undefined && length < minLength) return { expected: `at least ${minLength} characters` };
    if (maxLength !== undefined && length > maxLength) return { expected: `at most ${maxLength} characters` };
    if (regex !== undefined && !new RegExp(regex, 'u').test(value)) {
      return { expected: `a text that matches ${regex}` };
    }
    return format?.problem(value) === undefined ? { value } : { expected: format.expected };
  };
}

function isBelow(a: Bound, b: Bound): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : compareDecimals(String(a), String(b)) < 0;
}

function readNumber(
  { value, text }: WrittenValue,
  { min, max }: ScalarRules,
  readBound: (text: string) => ReadResult<Bound>,
  isExact: boolean,
): ReadResult<JsonValue> {
  const spelling = text ?? (typeof value === 'string' ? value : '');
  const bound: ReadResult<Bound> =
    isExact || text !== undefined ? readBound(spelling) : { expected: 'a number without quotes' };
  if ('expected' in bound) return bound;
  if (min !== undefined && isBelow(bound.value, min)) return { expected: `${min} or more` };
  if (max !== undefined && isBelow(max, bound.value)) return { expected: `${max} or less` };
  return bound;
}

/** Accepts numbers in the attribute's range. */
export function readNumberOf(readBound: (text: string) => ReadResult<Bound>): ReadDefault {
  return (written, rules) => readNumber(written, rules, readBound, false);
}

/** Accepts numbers in the attribute's range, quoted or not. */
export function readExactNumberOf(readBound: (text: string) => ReadResult<Bound>): ReadDefault {
  return (written, rules) => readNumber(written, rules, readBound, true);
}

/** Accepts text that `canonical` can convert. */
export function readCanonical(canonical: (text: string) => string | undefined, expected: string): ReadDefault {
  return ({ value }) => {
    const form = typeof value === 'string' ? canonical(value) : undefined;
    return form === undefined ? { expected } : { value: form };
  };
}
