/** Which file a request names. */
import { rowId } from '../../entries/documents/row-id.ts';
import { parseEntryKey } from '../../http/entry-id.ts';
import type { UploadContext } from './context.ts';

/** The id of a file that may be named by document id; 0 if there is no such document. Throws NotFoundError if it is no id. */
export function fileId({ database, fileType }: UploadContext, text: string): Promise<number> {
  return rowId(database, fileType, parseEntryKey(text, fileType));
}
