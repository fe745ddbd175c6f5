/** Times in request bodies. */
import { addIssue, type Issue } from '../../contract/errors.ts';
import { instantTime } from '../../contract/values/cast-time.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/u;

/** The time in milliseconds since 1970; null removes it, undefined if the body has none. Reports what is no time in the future. */
export function readTime(
  body: Readonly<Record<string, unknown>>,
  name: string,
  { now, issues }: { readonly now: number; readonly issues: Issue[] },
): number | null | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) return value;
  const time = typeof value === 'string' && TIME.test(value) ? instantTime(value) : Number.NaN;
  if (Number.isNaN(time)) {
    addIssue(issues, [name], () => `${name} must be a time with its zone, such as 2026-11-01T09:00:00Z, or null`);
    return undefined;
  }
  if (time <= now) addIssue(issues, [name], () => `${name} must be in the future`);
  return time;
}

/** Reports members of a body that have no meaning. */
export function refuseUnknown(
  body: Readonly<Record<string, unknown>>,
  known: readonly string[],
  issues: Issue[],
): void {
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) addIssue(issues, [name], () => `${name} is not one of ${known.join(', ')}`);
  }
}
