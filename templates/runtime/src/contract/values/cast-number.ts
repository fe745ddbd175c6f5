/** Numbers other than decimals. Accepts numeric text, with spaces around it, but not hexadecimal digits or digit separators. */
import { type CastResult, err, ok } from './cast-result.ts';
import { castDecimal } from './decimal.ts';

/** `integer` columns are 32 bits wide on every engine, `biginteger` columns 64. */
export const MIN_INTEGER = -2_147_483_648;
export const MAX_INTEGER = 2_147_483_647;
export const MIN_BIG_INTEGER = -(2n ** 63n);
export const MAX_BIG_INTEGER = 2n ** 63n - 1n;

const MAX_SPELLING = 512;
const NUMERIC = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

const NOT_WHOLE = err('must be a whole number');

function wholeNumber(value: unknown): CastResult<string> {
  const decimal = castDecimal(value);
  if (!decimal.ok) return decimal;
  return decimal.value.includes('.') ? NOT_WHOLE : decimal;
}

/** A 32-bit integer. */
export function castInteger(value: unknown): CastResult<number> {
  const whole = wholeNumber(value);
  if (!whole.ok) return whole;
  const number = Number(whole.value);
  if (number >= MIN_INTEGER && number <= MAX_INTEGER) return ok(number);
  return err(`must be between ${MIN_INTEGER} and ${MAX_INTEGER}`);
}

/** A 64-bit integer as decimal text. Rejects numbers beyond 2^53, which may have lost digits already. */
export function castBigInteger(value: unknown): CastResult<string> {
  const whole = wholeNumber(value);
  if (!whole.ok) return whole;
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return err('is too large for a JSON number to hold exactly: send it as a string');
  }
  const number = BigInt(whole.value);
  if (number >= MIN_BIG_INTEGER && number <= MAX_BIG_INTEGER) return whole;
  return err(`must be between ${MIN_BIG_INTEGER} and ${MAX_BIG_INTEGER}`);
}

function readFloat(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  return text.length <= MAX_SPELLING && NUMERIC.test(text) ? Number(text) : Number.NaN;
}

/** A finite floating-point number. -0 becomes 0, because JSON does not distinguish them. */
export function castFloat(value: unknown): CastResult<number> {
  const number = readFloat(value);
  return Number.isFinite(number) ? ok(number === 0 ? 0 : number) : err('must be a finite number');
}
