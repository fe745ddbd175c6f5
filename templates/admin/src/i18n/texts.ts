/** The keys of texts, with strings of any value: another language has the same. */
export type Texts<T> = { readonly [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };
