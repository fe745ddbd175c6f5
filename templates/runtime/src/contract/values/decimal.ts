/** Exact decimal numbers as canonical text. */
import { type CastResult, err, ok } from './cast-result.ts';

/** The precision of `decimal` columns on every engine. */
export const MAX_INTEGER_DIGITS = 35;
export const MAX_FRACTION_DIGITS = 30;

/** Longer texts are rejected: they can only be padded with zeros. */
const MAX_SPELLING = 512;

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

const NOT_A_NUMBER = err('must be a number');
const TOO_LONG = err(
  `must have at most ${MAX_INTEGER_DIGITS} digits before and ${MAX_FRACTION_DIGITS} after the decimal point`,
);

/** The significant digits of a number, and the position of the decimal point: `0.015` is `15` with the point at -1. */
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
 * Canonical decimal text of a number or numeric text: without an exponent, superfluous zeros, or `-0`. Text is converted exactly, a
 * number in its shortest decimal form. Fails for more than 35 digits before or 30 after the point.
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

/** Compares two canonical decimals exactly. Negative, zero or positive, like the callback of `Array.sort`. */
export function compareDecimals(left: string, right: string): number {
  const difference = scaled(left) - scaled(right);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}
