/** Imports an export into an empty database and its storage, atomically. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { CommandRefused } from '../../base/command-errors.ts';
import type { Executor } from '../../database/executor.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { incrementAccessVersion } from '../../access/role-rows.ts';
import type { TempFolder } from '../../storage/temp-folder.ts';
import { checkEmpty, removeRoles } from './check-empty.ts';
import type { TransferContext, TransferTotals } from './context.ts';
import { transferTotals } from './export-data.ts';
import { ImportFileError } from './import-file-error.ts';
import { createLineHash, fileLine, type Header, type Trailer, trailerLine } from './format.ts';
import { createFileTarget, type FileTarget } from './import-files.ts';
import { importSection, isSection, planOf, type ReadSection } from './import-sections.ts';
import { checkSchema, readHeader } from './read-header.ts';
import { readSection } from './read-section.ts';
import { readSchemaState } from './schema-state.ts';
import type { Section } from './sections.ts';
import { checkSequences, restoreSequences } from './sequences.ts';
import { expectLine, openSource, type Source } from './source.ts';
import { storedFilesOf } from './stored-files.ts';
import { ROLE_TABLES, type TransferTable, transferTables } from './tables.ts';

/** How long to wait for the migration lock, in milliseconds. */
const LOCK_TIMEOUT = 2000;

interface Import {
  readonly context: TransferContext;
  readonly source: Source;
  readonly header: Header;
  readonly tables: readonly TransferTable[];
  readonly files: FileTarget | undefined;
}

/** The part of the file before its last line, as read. */
interface Content {
  readonly sections: readonly ReadSection[];
  readonly files: Trailer['files'] & { readonly lines: readonly [from: number, to: number] };
  /** The parsed last line. */
  readonly rest: unknown;
}

function filesOf({ contentTypes, storage }: TransferContext, section: Section) {
  return storage && storedFilesOf(contentTypes, section, storage);
}

async function importFiles({ source, files, context }: Import, first: unknown): Promise<Omit<Content, 'sections'>> {
  const own = createLineHash();
  const from = source.line;
  let value = first;
  let count = 0;
  let bytes = 0;
  while (typeof value === 'object' && value !== null && 'file' in value) {
    const begin = expectLine(source, value, fileLine, 'the beginning of a file');
    if (!files) throw new ImportFileError(source.line, 'this server has no files.');
    own.add(JSON.stringify(begin));
    source.sumInto(own);
    await files.receive(source, begin);
    source.sumInto(undefined);
    count += 1;
    bytes += begin.size;
    context.progress.report('files', count);
    value = await source.next();
  }
  return { files: { count, bytes, sha256: own.sha256(), lines: [from, source.line - 1] }, rest: value };
}

async function importContent(task: Import, tx: Transaction): Promise<Content> {
  const { context, source, tables } = task;
  const plan = planOf(tables);
  const sections: ReadSection[] = [];
  let value = await source.next();
  for (; isSection(value); value = await source.next()) {
    const begin = plan.begin(source, value);
    const { table } = begin.section;
    const change = filesOf(context, begin.section)?.toDatabase ?? ((cells) => cells);
    const onRow = (done: number) => context.progress.report(table, done, begin.rows);
    sections.push(await importSection(tx, source, begin, { change, onRow }));
  }
  plan.finish(source);
  return { sections, ...(await importFiles(task, value)) };
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Compares the hashes of the content with those in the last line. Throws an ImportFileError for the first difference. */
async function checkTrailer(source: Source, { sections, files, rest }: Content): Promise<Trailer> {
  const trailer = expectLine(source, rest, trailerLine, 'the end of the export');
  for (const [index, { sum, lines }] of sections.entries()) {
    if (isSame(trailer.sections[index] ?? {}, sum)) continue;
    throw new ImportFileError(lines, `the rows of ${sum.table} differ from the exported ones.`);
  }
  const { lines, ...sums } = files;
  if (!isSame(trailer.files, sums)) throw new ImportFileError(lines, 'the files differ from the exported ones.');
  if (trailer.sections.length !== sections.length || trailer.sha256 !== source.sha256()) {
    throw new ImportFileError(
      [1, source.line],
      'they differ from the exported ones: something between the rows was changed.',
    );
  }
  await source.end();
  return trailer;
}

/** Reads the imported rows back. Throws if they differ from the file. */
async function checkDatabase(tx: Executor, context: TransferContext, sections: readonly ReadSection[]): Promise<void> {
  for (const { section, sum } of sections) {
    const own = createLineHash();
    let rows = 0;
    for await (const lines of readSection(tx, section, filesOf(context, section)?.toExport)) {
      own.add(lines.join('\n'));
      rows += lines.length;
      context.progress.report(`checking ${section.table}`, rows, sum.rows);
      // SQLite reads synchronously: yield to the event loop, so that an abort is noticed.
      await yieldToEventLoop();
      context.signal.throwIfAborted();
    }
    if (rows === sum.rows && own.sha256() === sum.sha256) continue;
    throw new Error(
      `${section.table} in the database differs from the file after the import (${rows} of ${sum.rows} rows): ` +
        'is a server writing to it? Nothing was imported.',
    );
  }
}

interface Done {
  readonly trailer: Trailer;
  readonly moved: ReadonlyMap<string, number>;
}

async function runImport(task: Import, tx: Transaction): Promise<Done> {
  const { context, source, header, tables } = task;
  checkSchema(header, await readSchemaState(tx, context.migrations));
  await checkEmpty(tx, tables, context.roles);
  const hasRoles = tables.some(({ name }) => ROLE_TABLES.includes(name));
  if (hasRoles) await removeRoles(tx);
  const content = await importContent(task, tx);
  const trailer = await checkTrailer(source, content);
  await checkDatabase(tx, context, content.sections);
  if (hasRoles) {
    await tx.write(() => Promise.resolve({ subjects: [], steps: incrementAccessVersion(), answer: () => undefined }));
  }
  const moved = await restoreSequences(tx, content.sections);
  context.signal.throwIfAborted();
  return { trailer, moved };
}

/** Runs the import in one transaction. If it fails, the stored files are removed again. */
async function importOnce(task: Import): Promise<Done> {
  const { database } = task.context;
  let isComplete = false;
  try {
    const done = await database.migrating(LOCK_TIMEOUT, () =>
      database.longTransaction(async (tx) => {
        const result = await runImport(task, tx);
        isComplete = true;
        return result;
      }),
    );
    if (done) return done;
    throw new CommandRefused(
      'Another process is migrating this database or importing into it. Try again when it has finished.',
    );
  } catch (error) {
    // If the commit failed, its outcome is unknown. Then keep the files: orphans do no harm.
    const left = isComplete ? [] : ((await task.files?.removeStored()) ?? []);
    if (left.length === 0) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\nThese files could not be removed from the storage: ${left.join(', ')}`, {
      cause: error,
    });
  }
}

/**
 * Imports an export, which may be compressed. `temp` receives its files; undefined without storage. Throws CommandRefused if
 * the file has another schema, is incomplete or was modified, or if the database has content. After any error nothing
 * is imported, except for the error about id sequences.
 */
export async function importData(
  context: TransferContext,
  chunks: AsyncIterable<Buffer>,
  temp: TempFolder | undefined,
): Promise<TransferTotals> {
  const source = openSource(chunks);
  const task: Import = {
    context,
    source,
    header: await readHeader(source),
    tables: transferTables(context.contentTypes),
    files: context.storage && temp && createFileTarget(context.storage, temp),
  };
  const { trailer, moved } = await importOnce(task);
  await checkSequences(context, moved);
  return transferTotals(trailer, source.sha256());
}
