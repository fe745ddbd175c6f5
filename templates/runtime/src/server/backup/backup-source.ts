/** What is backed up. */
import { resolve } from 'node:path';
import type { ContentTypes } from '../../contract/content-type.ts';
import { sqlitePath } from '../../database/open-database.ts';
import type { Settings } from '../settings.ts';
import type { BackupSource } from './create-backup.ts';

/** The files of a server that are backed up. The database must be SQLite. */
export function backupSource({ databaseUrl, uploads }: Settings, { types }: ContentTypes): BackupSource {
  const isLocal = uploads.s3 === undefined && Object.hasOwn(types, 'file');
  return { file: resolve(sqlitePath(databaseUrl) ?? ''), uploads: isLocal ? resolve(uploads.directory) : undefined };
}
