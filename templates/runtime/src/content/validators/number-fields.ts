/** Attributes that are numbers. */
import type { ScalarType } from '../../contract/content-type.ts';
import { castDecimal, compareDecimals } from '../../contract/values/decimal.ts';
import type { Field, Presence } from './field.ts';
import type { PresenceOf } from './presence.ts';
import { scalarField, type Rule, type ScalarOptions } from './scalar-field.ts';

/** Options of numbers. Both ends belong to the range. */
interface NumberOptions extends ScalarOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

/** Options of exact numbers, whose values may be beyond what a JSON number holds. */
interface ExactNumberOptions extends ScalarOptions<number | string> {
  readonly min?: number | string;
  readonly max?: number | string;
}

function exactBound(bound: number | string): string {
  const result = castDecimal(bound);
  if (!result.ok) throw new TypeError(`bound ${bound} ${result.message}`);
  return result.value;
}

/** Numbers and decimal texts alike are compared by their exact decimal value. */
function rangeRules({ min, max }: ExactNumberOptions): Rule<number | string>[] {
  const rules: Rule<number | string>[] = [];
  if (min !== undefined) {
    const least = exactBound(min);
    rules.push((value) => (compare(value, least) >= 0 ? undefined : `must be greater than or equal to ${least}`));
  }
  if (max !== undefined) {
    const most = exactBound(max);
    rules.push((value) => (compare(value, most) <= 0 ? undefined : `must be less than or equal to ${most}`));
  }
  return rules;
}

function compare(value: number | string, bound: string): number {
  return typeof value === 'number' ? value - Number(bound) : compareDecimals(value, bound);
}

function exactNumber<P extends Presence>(
  type: ScalarType,
  options: ExactNumberOptions = {},
): Field<number | string, P> {
  return scalarField({ type, options, rules: rangeRules(options) });
}

/** A whole number of 32 bits. */
export function integer<const O extends NumberOptions>(options?: O): Field<number, PresenceOf<O>> {
  return scalarField({ type: 'integer', options, rules: rangeRules(options ?? {}) });
}

/** A floating-point number. */
export function float<const O extends NumberOptions>(options?: O): Field<number, PresenceOf<O>> {
  return scalarField({ type: 'float', options, rules: rangeRules(options ?? {}) });
}

/** A whole number of 64 bits. */
export function biginteger<const O extends ExactNumberOptions>(options?: O): Field<number | string, PresenceOf<O>> {
  return exactNumber('biginteger', options);
}

/** An exact decimal number. */
export function decimal<const O extends ExactNumberOptions>(options?: O): Field<number | string, PresenceOf<O>> {
  return exactNumber('decimal', options);
}
