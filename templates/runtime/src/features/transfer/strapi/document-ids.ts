/** Document ids for entries of version 4, which has none: the same in every run, so that an import that is repeated makes the same rows. */
import { createHash } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

/** The id of the document of a type that begins with the row `id`, in the archive made at this time. */
export function documentIdOf(archive: string, uid: string, id: number): string {
  const bytes = createHash('sha256').update(`${archive}\n${uid}\n${id}`).digest();
  const text = [...bytes.subarray(0, LENGTH)].map((byte, index) => {
    const characters = index === 0 ? LETTERS : CHARACTERS;
    return characters[byte % characters.length];
  });
  return text.join('');
}

const DOCUMENT_ID = /^[a-z0-9]{1,64}$/iu;

export function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && DOCUMENT_ID.test(value);
}
