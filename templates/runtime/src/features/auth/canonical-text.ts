/** Unicode normalization of names and addresses that anyone may send. */

/** In UTF-16 code units. Longer than any valid name or address. */
const MAX_LENGTH = 1000;

/**
 * The text in a normal form. Longer texts are returned as they are: sorting a long run of combining marks takes quadratic time, which
 * is half a minute for 300 kB.
 */
export function canonicalText(text: string, form: 'NFC' | 'NFKC'): string {
  return text.length > MAX_LENGTH ? text : text.normalize(form);
}
