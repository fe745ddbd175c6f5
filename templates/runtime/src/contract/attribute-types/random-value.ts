/** Random values that satisfy the rules of an attribute, for sample content. */
import { type Random, randomProse, randomSuffix, randomTitle } from '../values/random.ts';
import type { AttributeType, Bound, Canonical, ScalarRules } from './attribute-type.ts';
import { type ValueRule, valueRules } from './value-rules.ts';

/** Generates texts that match a regular expression. */
export type TextsLike = (regex: RegExp, random: Random) => Iterable<string>;

/** Maximum number of candidates for one value. */
const MOST_TRIES = 300;
/** Width of the range if a limit is missing. */
const RANGE = 1000;
/** Dates are before this one, by less than `DAYS` days. */
const LAST_DAY = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const DAYS = 1000;
/** Default of `maxLength`, in characters. */
const SHORT_TEXT = 60;

function randomInstant(random: Random): string {
  return new Date(LAST_DAY - random.below(DAYS) * DAY - random.below(DAY)).toISOString();
}

/** A decimal number with `digits` digits after the point. Exact for large integers. */
function randomNumber(random: Random, { min, max }: ScalarRules, digits: number): string {
  const scale = 10n ** BigInt(digits);
  const scaled = (bound: Bound): bigint => {
    const [whole = '0', fraction = ''] = String(bound).split('.');
    const text = `${whole}${fraction.padEnd(digits, '0').slice(0, digits)}`;
    return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
  };
  const least = min !== undefined ? scaled(min) : max !== undefined ? scaled(max) - BigInt(RANGE) * scale : 0n;
  const most = max !== undefined ? scaled(max) : least + BigInt(RANGE) * scale;
  const span = most > least ? most - least : 0n;
  const limited = span > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : span;
  const value = least + BigInt(random.below(Number(limited) + 1));
  if (digits === 0) return String(value);
  const text = String(value < 0n ? -value : value).padStart(digits + 1, '0');
  return `${value < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function randomText(random: Random, type: AttributeType, rules: ScalarRules): string {
  const { minLength = 0, maxLength = type.isLong === true ? Infinity : SHORT_TEXT } = rules;
  const mark = rules.unique === true ? `${randomSuffix(random)} ` : '';
  let text = `${mark}${type.isLong === true ? randomProse(random, 2 + random.below(4)) : randomTitle(random)}`;
  while (text.length < minLength) text += ` ${randomTitle(random)}`;
  return text.slice(0, maxLength).trimEnd().padEnd(minLength, 'x');
}

function randomOfColumn(random: Random, type: AttributeType, rules: ScalarRules): Canonical {
  switch (type.columnType) {
    case 'text':
      return randomText(random, type, rules);
    case 'integer':
      return Number(randomNumber(random, rules, 0));
    case 'biginteger':
      return randomNumber(random, rules, 0);
    case 'float':
      return Number(randomNumber(random, rules, 2));
    case 'decimal':
      return randomNumber(random, rules, 2);
    case 'boolean':
      return random.once(2);
    case 'date':
      return randomInstant(random).slice(0, 10);
    case 'time':
      return randomInstant(random).slice(11, 23);
    case 'datetime':
      return randomInstant(random);
    case 'json':
      return type.sample;
  }
}

/** Values that may satisfy the rules, the most likely ones first. */
function* candidates(
  random: Random,
  type: AttributeType,
  rules: ScalarRules,
  textsLike: TextsLike | undefined,
): Generator<Canonical> {
  if (rules.enum !== undefined) {
    for (;;) yield random.pick(rules.enum);
  }
  if (rules.regex !== undefined && textsLike) yield* textsLike(new RegExp(rules.regex, 'u'), random);
  for (let tries = 0; tries < MOST_TRIES / 2; tries += 1) {
    yield type.random?.(random, rules) ?? randomOfColumn(random, type, rules);
  }
  for (const bound of [rules.min, rules.max]) if (bound !== undefined) yield bound;
  yield type.sample;
}

/** The canonical form of a value; undefined if it violates a rule. */
function checked(type: AttributeType, rules: readonly ValueRule[], value: Canonical): Canonical | undefined {
  if (type.problems && type.problems(value, []).length > 0) return undefined;
  const cast = type.cast(value);
  return cast.ok && rules.every((rule) => rule(cast.value, false) === undefined) ? cast.value : undefined;
}

/** A random canonical value that satisfies the rules and is not in `taken`; undefined if none was found. */
export function randomValue(
  random: Random,
  type: AttributeType,
  rules: ScalarRules,
  { taken, textsLike }: { readonly taken?: ReadonlySet<unknown>; readonly textsLike?: TextsLike | undefined } = {},
): Canonical | undefined {
  const ofRules = valueRules(type, rules);
  let tries = 0;
  for (const candidate of candidates(random, type, rules, textsLike)) {
    tries += 1;
    const value = checked(type, ofRules, candidate);
    if (value !== undefined && !taken?.has(value)) return value;
    if (tries >= MOST_TRIES) return undefined;
  }
  return undefined;
}
