/** JSON as generated files hold it. */

/** Anything that JSON can hold; members that are `undefined` are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON file: two spaces, members in the order given, a line feed at the end. */
export function printJson(value: Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/**
 * The `source` of a file: which printer makes it, and of what. `view` is plain data whose members come in an order that
 * the schema decides.
 */
export function sourceOf(printer: string, view: unknown): string {
  return JSON.stringify([printer, view]);
}
