/** ISO 8601 dates and times of the years 1 to 9999, independent of the local time zone. */

/** A parsed date and time. Parts missing in the text have their lowest value. */
interface IsoDateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Milliseconds of the day. */
  readonly time: number;
  /** Minutes east of UTC. */
  readonly offset: number;
  /** Whether the text has a time. */
  readonly hasTime: boolean;
}

const DATE = String.raw`(\d{4})(?:-(\d{2})(?:-(\d{2})`;
const TIME = String.raw`(?:[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?`;
const OFFSET = String.raw`([Zz]|[+-]\d{2}(?::?\d{2})?)?)?`;
const ISO = new RegExp(`^${DATE}${TIME}${OFFSET})?)?$`);

/** Longer texts are rejected. Enough for any precision that clients send. */
const MAX_SPELLING = 64;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isDay(year: number, month: number, day: number): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month);
}

/** Minutes east of UTC for `Z`, `+02`, `+0200`, `+02:00` or no text; undefined for an invalid offset. */
function readOffset(text: string | undefined): number | undefined {
  if (text === undefined || text.toUpperCase() === 'Z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = text.length > 3 ? Number(text.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return undefined;
  const total = hours * 60 + minutes;
  return text.startsWith('-') ? -total : total;
}

/** Parses `YYYY`, `YYYY-MM`, or `YYYY-MM-DD` with an optional time and offset; undefined for anything else. */
export function readIso(text: string): IsoDateTime | undefined {
  const match = text.length > MAX_SPELLING ? null : ISO.exec(text);
  if (!match) return undefined;
  const [, years, months = '1', days = '1', hours, minutes = '0', seconds = '0', fraction = '', zone] = match;
  const [year, month, day] = [Number(years), Number(months), Number(days)];
  const [hour, minute, second] = [Number(hours ?? '0'), Number(minutes), Number(seconds)];
  const offset = readOffset(zone);
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return { year, month, day, time, offset, hasTime: hours !== undefined };
}

/** Milliseconds since 1970-01-01T00:00:00Z. */
export function toInstant({ year, month, day, time, offset }: IsoDateTime): number {
  // `Date.UTC` maps the years 0 to 99 to 1900 to 1999.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  return midnight + time - offset * 60_000;
}
