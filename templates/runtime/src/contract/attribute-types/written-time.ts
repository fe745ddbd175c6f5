/** Parses dates and times in schemas. Accepts fewer forms than in requests, but seconds are optional. */
import type { CastResult } from '../values/cast-result.ts';
import { castDate, castTime } from '../values/cast-time.ts';

function valueOf(result: CastResult<string>): string | undefined {
  return result.ok ? result.value : undefined;
}

/** `YYYY-MM-DD`; undefined if there is no such date. */
export function writtenDate(text: string): string | undefined {
  return text.length === 'YYYY-MM-DD'.length ? valueOf(castDate(text)) : undefined;
}

/** `HH:mm`, `HH:mm:ss` or `HH:mm:ss.SSS` → `HH:mm:ss.SSS`; undefined for anything else. */
export function writtenTime(text: string): string | undefined {
  return valueOf(castTime(text.length === 'HH:mm'.length ? `${text}:00` : text));
}

/** A date, `T`, a time and `Z` → the same with milliseconds; undefined for anything else. */
export function writtenInstant(text: string): string | undefined {
  const [, date = '', time = ''] = /^([^T]*)T([^Z]*)Z$/.exec(text) ?? [];
  const canonical = writtenDate(date) === undefined ? undefined : writtenTime(time);
  return canonical === undefined ? undefined : `${date}T${canonical}Z`;
}
