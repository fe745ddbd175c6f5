/** Dates and times of defaults, in the form in which they are stored. */

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/;

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** `YYYY-MM-DD`, where there is such a day. */
export function canonicalDate(text: string): string | undefined {
  const [, year, month, day] = (datePattern.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month) ? text : undefined;
}

/** `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS` → `HH:mm:ss.SSS` */
export function canonicalTime(text: string): string | undefined {
  const [, hours = '', minutes = '', seconds = '00', fraction = ''] = timePattern.exec(text) ?? [];
  if (hours === '' || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
}

/** A date, `T`, a time and `Z` → the same with milliseconds. */
export function canonicalInstant(text: string): string | undefined {
  const [, date = '', time = ''] = /^([^T]*)T([^Z]*)Z$/.exec(text) ?? [];
  const canonical = canonicalDate(date) === undefined ? undefined : canonicalTime(time);
  return canonical === undefined ? undefined : `${date}T${canonical}Z`;
}
