/** Imports an export into an empty database and its storage, atomically. */
import type { Section, TransferTable } from '../../contract/content-transfer.ts';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Executor } from '../../database/executor.ts';
import type { Transaction } from '../../database/write-plan.ts';
import type { TempFolder } from '../../storage/temp-folder.ts';
import type { TransferContext, TransferTotals } from './context.ts';
import { transferTotals } from './export-data.ts';
import { fillDatabase } from './fill-database.ts';
import { ImportFileError } from './import-file-error.ts';
import { createLineHash, fileLine, type Header, type Trailer, trailerLine } from './format.ts';
import { createFileTarget, type FileTarget } from './import-files.ts';
import { importSection, isSection, planOf, type ReadSection } from './import-sections.ts';
import { checkSchema, readHeader } from './read-header.ts';
import { readSection } from './read-section.ts';
import { readSchemaState } from './schema-state.ts';
import { expectLine, openSource, type Source } from './source.ts';
import { storedFilesOf } from './stored-files.ts';
import { transferTables } from '../../content/stored-rows/stored-tables.ts';

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
    tables: transferTables(context.contentTypes, context.schema),
    files: context.storage && temp && createFileTarget(context.storage, temp),
  };
  const trailer = await fillDatabase(context, {
    check: async (tx) => checkSchema(task.header, await readSchemaState(tx, context.migrations)),
    work: async (tx) => {
      const content = await importContent(task, tx);
      const checked = await checkTrailer(source, content);
      await checkDatabase(tx, context, content.sections);
      return { result: checked, lastIds: content.sections };
    },
    files: task.files,
    isDryRun: false,
  });
  return transferTotals(trailer, source.sha256());
}
