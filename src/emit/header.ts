/**
 * The first line of each managed file: its origin, and where the team's own code belongs. Contains no version or
 * timestamp.
 */

import { GENERATED_HEADER } from '../files/generated-header.ts';

/** Where the team's own code belongs. */
export const EXTENSION_POINT = 'src/extensions/index.ts';

/** `origin` is text of the generator, with names of the schema: ``the content type `article` ``. */
export function headerLine(origin: string): string {
  return `${GENERATED_HEADER}${origin}. Do not edit: your own code goes to src/extensions/.`;
}
