/** Numbered parameters, as PostgreSQL needs them. */

/** Quoted strings and identifiers, and the parameters between them. */
const QUOTED_OR_PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/gu;

/** The text with `$1`, `$2`, … in place of each unquoted `?`. */
export function numberPlaceholders(text: string): string {
  let number = 0;
  return text.replaceAll(QUOTED_OR_PARAMETER, (piece) => {
    if (piece !== '?') return piece;
    number += 1;
    return `$${number}`;
  });
}
