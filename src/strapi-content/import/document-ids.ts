/** Document ids for entries of version 4, which has none. They are deterministic, so that a repeated import yields the same rows. */
import { createHash } from 'node:crypto';
import { documentIdOfHash } from '#contract/document-id.ts';

/** The document id of an entry of the type `uid`, whose first row is `id`. `archive`: when the archive was made. */
export function documentIdOf(archive: string, uid: string, id: number): string {
  return documentIdOfHash(createHash('sha256').update(`${archive}\n${uid}\n${id}`).digest());
}

const DOCUMENT_ID = /^[a-z0-9]{1,64}$/iu;

export function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && DOCUMENT_ID.test(value);
}
