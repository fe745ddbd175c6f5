/** Document ids, which all locales of an entry share: 24 letters and digits, the first a letter. */
import { createHash, randomBytes } from 'node:crypto';
import type { ContentType } from '../contract/content-type.ts';
import type { Columns } from './columns.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const CHARACTERS = `${LETTERS}0123456789`;
const LENGTH = 24;

/** Maps a random byte to one of `characters`, without bias; empty for bytes that would cause one. */
function characterOf(byte: number, characters: string): string {
  const fair = 256 - (256 % characters.length);
  return byte < fair ? characters.charAt(byte % characters.length) : '';
}

/** A deterministic id, for things that have no row. */
export function documentIdOfName(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, LENGTH);
  return [...bytes]
    .map((byte, index) => {
      const characters = index === 0 ? LETTERS : CHARACTERS;
      return characters.charAt(byte % characters.length);
    })
    .join('');
}

/** A random id that can't be guessed. */
export function newDocumentId(): string {
  let id = '';
  while (id.length < LENGTH) {
    for (const byte of randomBytes(LENGTH + 8)) {
      if (id.length < LENGTH) id += characterOf(byte, id === '' ? LETTERS : CHARACTERS);
    }
  }
  return id;
}

/** Adds the document id of a new entry, `documentId` or a new one, if its type has document ids. */
export function setDocumentId(columns: Columns, { localized, documentIds }: ContentType, documentId?: string): Columns {
  return localized || documentIds ? columns.set('document_id', documentId ?? newDocumentId()) : columns;
}
