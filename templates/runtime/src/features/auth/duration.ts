/** Parses durations such as `30d`. */

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `30d`, `12h`, `15m` or `0s` in seconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  return match ? Number(match[1]) * (UNITS[match[2] ?? ''] ?? 0) : undefined;
}
