/** The one line at the top of each managed file: where it comes from, and where the team's own code goes. Never a version or a time. */

import { GENERATED_HEADER } from '../files/generated-header.ts';

/** Where the team's code belongs instead. */
export const EXTENSION_POINT = 'src/extensions/index.ts';

/** `origin` is of the generator's own words and names: ``the content type `article` ``. */
export function headerLine(origin: string): string {
  return `${GENERATED_HEADER}${origin}. Do not edit: your own code goes to src/extensions/.`;
}
