/** Attributes that are days, times of day and instants. */
import type { Field } from './field.ts';
import type { PresenceOf } from './presence.ts';
import { scalarField, type ScalarOptions } from './scalar-field.ts';

/** A day: `YYYY-MM-DD`. */
export function date<const O extends ScalarOptions<string>>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'date', options });
}

/** A time of day: `HH:mm:ss`, with up to three decimals. */
export function time<const O extends ScalarOptions<string>>(options?: O): Field<string, PresenceOf<O>> {
  return scalarField({ type: 'time', options });
}

/** An instant: ISO 8601, or milliseconds since 1970. */
export function datetime<const O extends ScalarOptions<string | number>>(
  options?: O,
): Field<string | number, PresenceOf<O>> {
  return scalarField({ type: 'datetime', options });
}

/** The same as `datetime`. */
export function timestamp<const O extends ScalarOptions<string | number>>(
  options?: O,
): Field<string | number, PresenceOf<O>> {
  return scalarField({ type: 'timestamp', options });
}
