/** Compares file entries with the storage: missing files, orphaned files, and wrong sizes. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { Row } from '../../database/statement-runner.ts';
import { join, sql } from '../../database/sql.ts';
import { countPending, pendingAmong } from './pending-files.ts';
import { kilobytes } from './inspect-files.ts';
import type { ListedFile, Storage } from '../../storage/storage.ts';
import { hashesOf } from './stored-hashes.ts';
import { DAY_MS } from './sweeper.ts';

export interface CheckContext {
  readonly database: Database;
  readonly fileType: ContentType;
  readonly storage: Storage;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** A file entry whose stored file, or one of its formats, is missing or of another size. */
export interface BadFile {
  readonly id: number;
  /** Its display name. */
  readonly title: string;
  /** The name of the stored file. */
  readonly name: string;
}

export interface FileReport {
  /** Entries of files in this storage. */
  readonly entries: number;
  /** Entries of files in another storage than the configured one. */
  readonly elsewhere: number;
  /** Files in the storage. */
  readonly stored: number;
  readonly missing: readonly BadFile[];
  readonly wrongSizes: readonly (BadFile & { readonly expected: number; readonly found: number })[];
  /** Orphaned files, older than a day. */
  readonly orphaned: readonly ListedFile[];
  /** Number of files without an entry that are younger, or in the journal: left to the sweeper. */
  readonly pending: number;
}

/** A stored file as its entry describes it; `size` is in kilobytes. */
interface Part {
  readonly name: string;
  readonly size: number;
}

/** How many entries are read per query. */
const BATCH = 500;

interface Format {
  readonly hash?: unknown;
  readonly ext?: unknown;
  readonly size?: unknown;
}

function formatsOf(value: unknown): readonly Format[] {
  const parsed = typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
  return typeof parsed === 'object' && parsed !== null ? Object.values(parsed as Record<string, Format>) : [];
}

function partsOf(row: Row): Part[] {
  const own: Format = { hash: row['hash'], ext: row['ext'], size: row['size'] };
  return [own, ...formatsOf(row['formats'])].map(({ hash, ext, size }) => ({
    name: `${String(hash)}${typeof ext === 'string' ? ext : ''}`,
    size: Number(size),
  }));
}

const COLUMNS = sql`id, name, hash, ext, size, provider, formats`;

/** All entries, in batches. */
async function* entriesOf({ database, fileType }: CheckContext): AsyncGenerator<readonly Row[]> {
  const table = database.dialect.id(fileType.table);
  for (let after = 0; ;) {
    const rows = await database.all(
      sql`SELECT ${COLUMNS} FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${BATCH}`,
    );
    if (rows.length === 0) return;
    yield rows;
    after = Number(rows.at(-1)?.['id']);
  }
}

async function listed(storage: Storage): Promise<Map<string, ListedFile>> {
  const files = new Map<string, ListedFile>();
  for await (const file of storage.list()) files.set(file.name, file);
  return files;
}

/** Whether an entry still has a file: it may have been deleted in the meantime. */
async function stillHas({ database, fileType }: CheckContext, { id, name }: BadFile): Promise<boolean> {
  const table = database.dialect.id(fileType.table);
  const row = await database.get(sql`SELECT ${COLUMNS} FROM ${table} WHERE id = ${id}`);
  return row !== undefined && partsOf(row).some((part) => part.name === name);
}

/** Whether a file is really missing: it may have been stored after the listing. */
async function isMissing(context: CheckContext, bad: BadFile): Promise<boolean> {
  const file = await context.storage.open(bad.name);
  await file?.close();
  return file === undefined && (await stillHas(context, bad));
}

/** The files that still have neither an entry nor a row in the journal: either may have been created in the meantime. */
async function orphanedAmong(
  { database, fileType }: CheckContext,
  files: readonly ListedFile[],
): Promise<ListedFile[]> {
  const table = database.dialect.id(fileType.table);
  const orphaned: ListedFile[] = [];
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const hashes = new Set(batch.flatMap(({ name }) => hashesOf(name)));
    const values = [...hashes].map((hash) => sql`${hash}`);
    const rows = await database.all(sql`SELECT ${COLUMNS} FROM ${table} WHERE hash IN (${join(values, ', ')})`);
    const owned = new Set(rows.flatMap((row) => partsOf(row).map(({ name }) => name)));
    const pending = await pendingAmong(
      database,
      batch.map(({ name }) => name),
    );
    orphaned.push(...batch.filter(({ name }) => !owned.has(name) && !pending.has(name)));
  }
  return orphaned;
}

/**
 * Compares all entries with all files. Safe while a server is running: each finding is verified a second time. Files
 * that were stored within the last day are never reported as orphaned.
 */
export async function checkFiles(context: CheckContext): Promise<FileReport> {
  const { database, storage, now } = context;
  const files = await listed(storage);
  const owned = new Set<string>();
  const missing: BadFile[] = [];
  const wrongSizes: FileReport['wrongSizes'][number][] = [];
  let entries = 0;
  let elsewhere = 0;
  for await (const rows of entriesOf(context)) {
    for (const row of rows) {
      if (row['provider'] !== storage.provider) {
        elsewhere += 1;
        continue;
      }
      entries += 1;
      for (const { name, size } of partsOf(row)) {
        const bad = { id: Number(row['id']), title: String(row['name']), name };
        const file = files.get(name);
        owned.add(name);
        if (!file) {
          if (await isMissing(context, bad)) missing.push(bad);
        } else if (kilobytes(file.size) !== size) {
          wrongSizes.push({ ...bad, expected: size, found: kilobytes(file.size) });
        }
      }
    }
  }
  const withoutEntry = [...files.values()].filter(({ name }) => !owned.has(name));
  const old = withoutEntry.filter(({ storedAt }) => storedAt < now - DAY_MS);
  const orphaned = await orphanedAmong(context, old);
  return {
    entries,
    elsewhere,
    stored: files.size,
    missing,
    wrongSizes,
    orphaned,
    pending: Math.max(withoutEntry.length - orphaned.length, await countPending(database, storage.provider)),
  };
}
