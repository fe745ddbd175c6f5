/** JSON in generated files. */

/** Any JSON value; members that are `undefined` are omitted. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** The text of a JSON file: two spaces of indentation, members in the given order, a final line feed. */
export function printJson(value: Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
