/** Changes several files, all or none. */
import { ask } from '../../rest/request.ts';
import type { MediaFile } from '../media-file.ts';

export interface FileChange {
  readonly id: number;
  readonly alternativeText?: string;
  readonly folder?: number | null;
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
}

export function changeFiles(files: readonly FileChange[]): Promise<readonly MediaFile[]> {
  return ask<readonly MediaFile[]>({ method: 'PUT', path: 'upload/files', body: { files } });
}
