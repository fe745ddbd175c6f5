/** Document ids, which all locales of an entry share: 24 letters and digits, the first a letter. */

export const DOCUMENT_ID_LENGTH = 24;
export const FIRST_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz';
export const CHARACTERS = `${FIRST_CHARACTERS}0123456789`;

/** A deterministic id, for things that have no row. `hash` has at least 24 bytes. */
export function documentIdOfHash(hash: Uint8Array): string {
  return [...hash.subarray(0, DOCUMENT_ID_LENGTH)]
    .map((byte, index) => {
      const characters = index === 0 ? FIRST_CHARACTERS : CHARACTERS;
      return characters.charAt(byte % characters.length);
    })
    .join('');
}
