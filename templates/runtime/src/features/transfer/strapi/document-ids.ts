/** Document ids for entries of version 4, which has none: the same in every run, so that an import that is repeated makes the same rows. */
import { documentIdOfName } from '../../../write/document-id.ts';

/** The id of the document of a type that begins with the row `id`, in the archive made at this time. */
export function documentIdOf(archive: string, uid: string, id: number): string {
  return documentIdOfName(`${archive}\n${uid}\n${id}`);
}

const DOCUMENT_ID = /^[a-z0-9]{1,64}$/iu;

export function isDocumentId(value: unknown): value is string {
  return typeof value === 'string' && DOCUMENT_ID.test(value);
}
