/** Decimal numbers as text: exact, whatever JavaScript could hold. */

/** What `decimal` columns hold on every engine. */
const maxIntegerDigits = 35;
const maxFractionDigits = 30;

const written = /^([-+]?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,4}))?$/;

/**
 * `text` in one spelling: no exponent, no sign `+`, no superfluous zeros, no `-0`. `undefined` where it is no decimal
 * number of at most 35 digits before and 30 after the point.
 */
export function canonicalDecimal(text: string): string | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = written.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const before = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0').replace(/^0+/, '');
  const after = (point < 0 ? '0'.repeat(-point) + digits : digits.slice(point)).replace(/0+$/, '');
  if (before.length > maxIntegerDigits || after.length > maxFractionDigits) return undefined;
  if (before === '' && after === '') return '0';
  return `${sign === '-' ? '-' : ''}${before || '0'}${after === '' ? '' : `.${after}`}`;
}

function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(maxFractionDigits, '0'));
}

/** Negative, zero or positive as the canonical `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: string, b: string): number {
  const difference = scaled(a) - scaled(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
