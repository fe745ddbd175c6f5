/** Decimal numbers as text: exact, in one spelling. */
import { type CastResult, err, ok } from './cast-result.ts';

/** What `decimal` columns hold on every engine. */
export const MAX_INTEGER_DIGITS = 35;
export const MAX_FRACTION_DIGITS = 30;

/** Longer spellings only pad with zeros. */
const MAX_SPELLING = 512;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

const NOT_A_NUMBER = err('must be a number');
const TOO_LONG = err(
  `must have at most ${MAX_INTEGER_DIGITS} digits before and ${MAX_FRACTION_DIGITS} after the decimal point`,
);

/** The significant digits of a number, and where its decimal point is: `0.015` is `15` with the point at -1. */
interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

function readDigits(text: string): Digits | undefined {
  const trimmed = text.trim();
  const match = trimmed.length > MAX_SPELLING ? null : DECIMAL.exec(trimmed);
  if (!match) return undefined;
  const [, sign, integer = '', fraction = '', exponent = '0'] = match;
  const all = integer + fraction;
  if (all === '') return undefined;
  const significant = all.replace(/^0+/, '');
  const point = integer.length + Number(exponent) - (all.length - significant.length);
  let end = significant.length;
  while (end > 0 && significant[end - 1] === '0') end -= 1;
  return { negative: sign === '-', digits: significant.slice(0, end), point };
}

function spell({ negative, digits, point }: Digits): string {
  if (digits === '') return '0';
  const integer = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const fraction = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return `${negative ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * A number, or text that is one, as canonical decimal text: no exponent, no superfluous zeros, no `-0`.
 * Text is taken exactly, a number by its shortest decimal form. Refused beyond 35 digits before and 30 after the point.
 */
export function castDecimal(value: unknown): CastResult<string> {
  if (typeof value !== 'string' && typeof value !== 'number') return NOT_A_NUMBER;
  const number = readDigits(String(value));
  if (!number) return NOT_A_NUMBER;
  const { digits, point } = number;
  if (digits !== '' && (point > MAX_INTEGER_DIGITS || digits.length - point > MAX_FRACTION_DIGITS)) return TOO_LONG;
  return ok(spell(number));
}

function scaled(decimal: string): bigint {
  const [integer = '', fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(MAX_FRACTION_DIGITS, '0'));
}

/** Compares two canonical decimals exactly: negative, zero or positive as `left` is smaller, equal or larger. */
export function compareDecimals(left: string, right: string): number {
  const difference = scaled(left) - scaled(right);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}
