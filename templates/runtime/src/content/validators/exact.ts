/** Checks at compile time that two types are equal. */

/**
 * `true` if each type is assignable to the other and both have the same keys, else `false`. Keys are compared because an
 * optional key in only one of the types would otherwise go unnoticed.
 */
export type Exact<A, B> = [A, B, keyof A, keyof B] extends [B, A, keyof B, keyof A] ? true : false;

/** Rest parameters: none if both pairs of types are equal, else one of type `never`, so that the call doesn't compile. */
export type Agreement<A, B, C = A, D = B> = [Exact<A, B>, Exact<C, D>] extends [true, true]
  ? []
  : [typesDisagree: never];
