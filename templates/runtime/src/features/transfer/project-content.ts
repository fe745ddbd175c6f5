/** The content of a project as tools beside it see it. */
import { Readable } from 'node:stream';
import type {
  ContentFiles,
  ContentReader,
  ContentWriter,
  ProjectContent,
  TransferTable,
} from '../../contract/content-transfer.ts';
import type { Executor } from '../../database/executor.ts';
import { isStoredName, type Storage } from '../../storage/storage.ts';
import { discard, openTempFolder } from '../../storage/temp-folder.ts';
import type { TransferContext } from './context.ts';
import { fillDatabase } from './fill-database.ts';
import { readSection } from './read-section.ts';
import { createStoredFiles, type StoredFileTarget } from './stored-file-target.ts';
import { transferTables } from '../../content/stored-rows/stored-tables.ts';
import { createSectionWriter } from './write-section.ts';

function contentFiles(storage: Storage): ContentFiles {
  return {
    provider: storage.provider,
    isStoredName,
    urlOf: (name) => storage.urlOf(name),
    async open(name) {
      const file = await storage.open(name);
      return file && { size: file.size, read: () => file.read(undefined), close: () => file.close() };
    },
  };
}

/** `incoming`: the folder that receives files before they are stored. */
async function fileStore(target: StoredFileTarget, incoming: string): Promise<NonNullable<ContentWriter['storeFile']>> {
  const temp = await openTempFolder(incoming);
  return async (name, bytes) => {
    const arrived = await temp.write(Readable.from(bytes));
    try {
      await target.store(name, arrived);
    } finally {
      await discard([arrived.path]);
    }
  };
}

/** `incoming`: the folder that receives files before they are stored, on the file system of a local storage. */
export function projectContent(context: TransferContext, incoming: string): ProjectContent {
  const { database, contentTypes, schema, accounts, storage, progress, signal } = context;
  const tables: ReadonlyMap<string, TransferTable> = new Map(
    transferTables(contentTypes, schema).map((table) => [table.name, table]),
  );
  const readerOf = (executor: Executor): ContentReader => ({
    tables,
    read: (section) => readSection(executor, section),
  });
  return {
    contentTypes,
    roles: schema.roles,
    rules: schema.rules,
    accounts,
    files: storage && contentFiles(storage),
    progress,
    signal,
    snapshot: (work) => database.snapshot((executor) => work(readerOf(executor))),
    async fill(work, { isDryRun }) {
      const files = storage && !isDryRun ? createStoredFiles(storage) : undefined;
      const storeFile = files && (await fileStore(files, incoming));
      return fillDatabase(context, {
        work: (tx) => work({ ...readerOf(tx), write: (section) => createSectionWriter(tx, section), storeFile }),
        files,
        isDryRun,
      });
    },
  };
}
