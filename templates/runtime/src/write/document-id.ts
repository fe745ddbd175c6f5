/** Makes document ids. */
import { createHash, randomBytes } from 'node:crypto';
import { COLUMN_NAMES } from '../contract/column-names.ts';
import { CHARACTERS, DOCUMENT_ID_LENGTH, documentIdOfHash, FIRST_CHARACTERS } from '../contract/document-id.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Columns } from './columns.ts';

/** Maps a random byte to one of `characters`, without bias; empty for bytes that would cause one. */
function characterOf(byte: number, characters: string): string {
  const fair = 256 - (256 % characters.length);
  return byte < fair ? characters.charAt(byte % characters.length) : '';
}

/** A deterministic id, for things that have no row. */
export function documentIdOfName(name: string): string {
  return documentIdOfHash(createHash('sha256').update(name).digest());
}

/** A random id that can't be guessed. */
export function newDocumentId(): string {
  let id = '';
  while (id.length < DOCUMENT_ID_LENGTH) {
    for (const byte of randomBytes(DOCUMENT_ID_LENGTH + 8)) {
      if (id.length < DOCUMENT_ID_LENGTH) id += characterOf(byte, id === '' ? FIRST_CHARACTERS : CHARACTERS);
    }
  }
  return id;
}

/** Adds the document id of a new entry, `documentId` or a new one, if its type has document ids. */
export function setDocumentId(columns: Columns, { localized, documentIds }: ContentType, documentId?: string): Columns {
  return localized || documentIds ? columns.set(COLUMN_NAMES.documentId, documentId ?? newDocumentId()) : columns;
}
