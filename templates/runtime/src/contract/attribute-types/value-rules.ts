/** Compiles the rules of an attribute into checks of its canonical values. */
import { castDecimal, compareDecimals } from '../values/decimal.ts';
import { lengthOf } from '../values/cast-text.ts';
import {
  type AttributeType,
  type Bound,
  type Canonical,
  MAX_SHORT_LENGTH,
  type ScalarRules,
} from './attribute-type.ts';
import { enumText } from './enumeration.ts';

/** What is wrong with a canonical value, as a predicate; undefined if it is valid. Drafts may be shorter than `minLength`. */
export type ValueRule = (value: Canonical, isDraft: boolean) => string | undefined;

/** A rule for types whose canonical values are strings. */
function textRule(rule: (text: string, isDraft: boolean) => string | undefined): ValueRule {
  return (value, isDraft) => (typeof value === 'string' ? rule(value, isDraft) : undefined);
}

function lengthRules({ minLength = 0, maxLength = Infinity, unique }: ScalarRules, most: number): ValueRule[] {
  const longest = Math.min(maxLength, unique === true ? MAX_SHORT_LENGTH : Infinity, most);
  const tooShort = `must be at least ${minLength} characters`;
  const tooLong = `must be at most ${longest} characters`;
  return [
    ...(minLength > 0
      ? [textRule((text, isDraft) => (isDraft || lengthOf(text) >= minLength ? undefined : tooShort))]
      : []),
    ...(longest < Infinity ? [textRule((text) => (lengthOf(text) <= longest ? undefined : tooLong))] : []),
  ];
}

/** Accepts the empty text if the attribute is not required. */
function regexRule(source: string, required: boolean): ValueRule {
  const regex = new RegExp(source, 'u');
  const mismatch = `must match the following: ${String(regex)}`;
  return textRule((text) => ((text === '' && !required) || regex.test(text) ? undefined : mismatch));
}

function exactBound(bound: Bound): string {
  const result = castDecimal(bound);
  if (!result.ok) throw new TypeError(`bound ${bound} ${result.message}`);
  return result.value;
}

/** Compares numbers as such, and decimal text exactly. */
function compare(value: Canonical, bound: string): number {
  if (typeof value === 'string') return compareDecimals(value, bound);
  return typeof value === 'number' ? value - Number(bound) : 0;
}

function rangeRules({ min, max }: ScalarRules): ValueRule[] {
  const least = min === undefined ? undefined : exactBound(min);
  const most = max === undefined ? undefined : exactBound(max);
  const rules: (ValueRule | undefined)[] = [
    least === undefined
      ? undefined
      : (value) => (compare(value, least) >= 0 ? undefined : `must be greater than or equal to ${least}`),
    most === undefined
      ? undefined
      : (value) => (compare(value, most) <= 0 ? undefined : `must be less than or equal to ${most}`),
  ];
  return rules.filter((rule) => rule !== undefined);
}

function enumRule(values: readonly string[]): ValueRule {
  const allowed = new Set(values);
  const problem = `must be one of the following values: ${enumText(values)}`;
  return textRule((text) => (allowed.has(text) ? undefined : problem));
}

/** The rules of an attribute, in the order in which they are checked. Throws TypeError for a bound that is not a number. */
export function valueRules(type: AttributeType, rules: ScalarRules): readonly ValueRule[] {
  const { formatProblem } = type;
  return [
    ...(formatProblem ? [textRule((text) => formatProblem(text))] : []),
    ...(type.columnType === 'text' ? lengthRules(rules, type.maxLength ?? Infinity) : []),
    ...(rules.regex === undefined ? [] : [regexRule(rules.regex, rules.required === true)]),
    ...rangeRules(rules),
    ...(rules.enum === undefined ? [] : [enumRule(rules.enum)]),
  ];
}
