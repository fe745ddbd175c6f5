/** Conversions between API values and input texts. */

/** A number if it can be represented exactly, otherwise its text; the server accepts both. */
export function parseNumber(text: unknown): unknown {
  const trimmed = String(text).trim();
  if (trimmed === '') return null;
  return String(Number(trimmed)) === trimmed ? Number(trimmed) : trimmed;
}

/** Keeps text, such as integers beyond 2^53; null if empty. */
export function parseText(text: unknown): unknown {
  return text === '' ? null : text;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Formats a timestamp for `datetime-local`, in the browser's time zone. */
export function formatMoment(value: unknown): string {
  if (typeof value !== 'string') return '';
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function parseMoment(text: unknown): string | null {
  const date = new Date(String(text));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** `08:30:00.000` as `08:30:00`. */
export function formatTime(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 8) : '';
}

export function parseTime(text: unknown): string | null {
  if (text === '') return null;
  const time = String(text);
  return `${time.length === 5 ? `${time}:00` : time.slice(0, 8)}.000`;
}
