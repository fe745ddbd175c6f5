/** JSON as generated files hold it. */

/** Anything that JSON can hold; members that are `undefined` are left out. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON file: two spaces, members in the order given, a line feed at the end. */
export function printJson(value: Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
