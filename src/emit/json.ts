/** JSON in generated files. */

import type { Json } from '../files/print-compact-json.ts';

export type { Json };

/** The text of a JSON file: two spaces of indentation, members in the given order, a final line feed. */
export function printJson(value: Json): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
