/** What a cast answers: the canonical value, or what the value would have to be. */

/** `message` is a predicate without its subject, such as `must be true or false`, so that callers can say of what. */
export type CastResult<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

/** A value that was cast. */
export function ok<Value>(value: Value): CastResult<Value> {
  return { ok: true, value };
}

/** A value that can't be cast. */
export function err(message: string): CastResult<never> {
  return { ok: false, message };
}
