/** Result of a cast: the canonical value, or an error message. */

/** `message` is a predicate such as `must be true or false`: callers add the subject. */
export type CastResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

/** Success. */
export function ok<Value>(value: Value): CastResult<Value> {
  return { ok: true, value };
}

/** Failure. */
export function err(message: string): CastResult<never> {
  return { ok: false, message };
}
