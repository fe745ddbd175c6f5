/** Dates, times of day and instants. */
import { type CastResult, err, ok } from './cast-result.ts';
import { readIso, toInstant } from './calendar.ts';

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/;
const BASIC_DATE = /^(\d{4})(\d{2})(\d{2})$/;
const MILLISECONDS = /^-?\d{1,15}$/;
const YEAR = /^\d{4}$/;

const NO_DATE = err('must be a date, YYYY-MM-DD');
const NO_TIME = err('must be a time, HH:mm:ss or HH:mm:ss.SSS');
const NO_INSTANT = err('must be an ISO 8601 date and time or milliseconds since 1970, in the years 1 to 9999');

/** `YYYY-MM-DD`. The time of an ISO date with a time is dropped. */
export function castDate(value: unknown): CastResult<string> {
  if (typeof value !== 'string') return NO_DATE;
  const iso = readIso(value);
  return iso && (iso.hasTime || value.length === DAY_LENGTH) ? ok(value.slice(0, DAY_LENGTH)) : NO_DATE;
}

/** `HH:mm:ss.SSS`, from a time with at most three fractional digits. */
export function castTime(value: unknown): CastResult<string> {
  const match = typeof value === 'string' ? TIME.exec(value) : null;
  return match ? ok(`${match[1]}.${(match[2] ?? '').padEnd(3, '0')}`) : NO_TIME;
}

/** As in ISO 8601, four digits are a year and eight digits are a date; any other number is milliseconds. */
function readInstant(text: string): number | undefined {
  if (MILLISECONDS.test(text) && !YEAR.test(text) && !BASIC_DATE.test(text)) return Number(text);
  const iso = readIso(text.replace(BASIC_DATE, '$1-$2-$3'));
  return iso && toInstant(iso);
}

/**
 * ISO 8601 UTC with milliseconds, from ISO text or from milliseconds since 1970 (number or text). Text without an offset is UTC.
 * Fractions below a millisecond are truncated.
 */
export function castInstant(value: unknown): CastResult<string> {
  const instant = typeof value === 'string' ? readInstant(value) : value;
  if (typeof instant !== 'number' || !Number.isInteger(instant)) return NO_INSTANT;
  if (instant < FIRST_INSTANT || instant > LAST_INSTANT) return NO_INSTANT;
  return ok(new Date(instant).toISOString());
}

/** In milliseconds since 1970; NaN for what is no instant, also for dates that don't exist, which Date.parse moves to the next month. */
export function instantTime(text: string): number {
  const instant = castInstant(text);
  return instant.ok ? Date.parse(instant.value) : Number.NaN;
}
