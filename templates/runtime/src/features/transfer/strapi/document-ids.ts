/** Document ids for entries of version 4, which has none. They are deterministic, so that a repeated import yields the same rows. */
import { documentIdOfName } from '../../../write/document-id.ts';

/** The document id of an entry of the type `uid`, whose first row is `id`. `archive`: when the archive was made. */
export function documentIdOf(archive: string, uid: string, id: number): string {
  return documentIdOfName(`${archive}\n${uid}\n${id}`);
}

const DOCUMENT_ID = /^[a-z0-9]{1,64}$/iu;

export function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && DOCUMENT_ID.test(value);
}
