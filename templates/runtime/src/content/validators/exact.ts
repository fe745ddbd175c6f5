/** Proof that two types agree, for the type checker: it costs nothing at run time. */

/**
 * `true` if each type is assignable to the other and both have the same keys, else `false`. The keys are compared since an
 * optional one that only one of them has would otherwise go unnoticed.
 */
export type Exact<A, B> = [A, B, keyof A, keyof B] extends [B, A, keyof B, keyof A] ? true : false;

/** No argument where each pair of types agrees; else one that can't be given, so that the call does not compile. */
export type Agreement<A, B, C = A, D = B> = [Exact<A, B>, Exact<C, D>] extends [true, true]
  ? []
  : [typesDisagree: never];
