/** Exports the content of a database and its storage as lines of text. */
import type { Cell, Section } from '../../contract/content-transfer.ts';
import { createHash } from 'node:crypto';
import type { Executor } from '../../database/executor.ts';
import type { Storage } from '../../storage/storage.ts';
import type { TransferContext, TransferTotals } from './context.ts';
import { inChunks } from './file-chunks.ts';
import {
  createLineHash,
  FORMAT,
  type Header,
  type LineHash,
  sectionLine,
  type SectionSum,
  type Trailer,
  VERSION,
} from './format.ts';
import { countRows, readSection } from './read-section.ts';
import { readSchemaState } from './schema-state.ts';
import { planSections } from './sections.ts';
import { type StoredFiles, storedFilesOf } from './stored-files.ts';
import { transferTables } from '../../content/stored-rows/stored-tables.ts';

/** The result of an export. */
export interface Exported extends TransferTotals {
  /** The names of files that have a row but are missing from the storage. */
  readonly missing: readonly string[];
}

interface Export {
  readonly context: TransferContext;
  readonly reader: Executor;
  /** The hash of all lines. */
  readonly sum: LineHash;
  readonly missing: string[];
}

type Text = AsyncGenerator<string, void>;

/** Adds lines to the hashes; returns them with their line end. */
function written({ sum }: Pick<Export, 'sum'>, text: string, own?: LineHash): string {
  sum.add(text);
  own?.add(text);
  return `${text}\n`;
}

async function* exportSection(
  task: Export,
  section: Section,
  files: StoredFiles | undefined,
): AsyncGenerator<string, SectionSum> {
  const { reader, context } = task;
  const { table } = section;
  const total = await countRows(reader, section);
  // Published versions have the ids of their drafts.
  const isReference = section.columns.some(({ name, references }) => name === 'id' && references !== undefined);
  const hasIds = !section.fills && section.key.join() === 'id' && !isReference;
  const lastId = hasIds ? await reader.dialect.lastId(reader, table) : undefined;
  yield written(task, sectionLine(section, total, lastId));
  const own = createLineHash();
  let rows = 0;
  for await (const lines of readSection(reader, section, files?.toExport)) {
    yield written(task, lines.join('\n'), own);
    rows += lines.length;
    context.progress.report(table, rows, total);
  }
  return { table, rows, sha256: own.sha256() };
}

/** Exports the bytes of one file; returns their number, or undefined if the storage has no such file. */
async function* exportFile(
  task: Export,
  storage: Storage,
  name: string,
  own: LineHash,
): AsyncGenerator<string, number | undefined> {
  const file = await storage.open(name);
  if (!file) return undefined;
  yield written(task, JSON.stringify({ file: name, size: file.size }), own);
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of inChunks(await file.read(undefined))) {
    hash.update(chunk);
    size += chunk.length;
    yield written(task, JSON.stringify(chunk.toString('base64')), own);
  }
  if (size !== file.size) throw new Error(`The file ${name} in the storage changed while it was read. Export again.`);
  yield written(task, JSON.stringify({ sha256: hash.digest('hex') }), own);
  return size;
}

/** The section with the rows of files. */
interface FileRows {
  readonly section: Section;
  readonly files: StoredFiles;
}

async function* exportFiles(task: Export, fileRows: FileRows | undefined): AsyncGenerator<string, Trailer['files']> {
  const { reader, context, missing } = task;
  const { storage, progress } = context;
  const own = createLineHash();
  let count = 0;
  let bytes = 0;
  if (fileRows && storage) {
    const { section, files } = fileRows;
    for await (const lines of readSection(reader, section, files.toExport)) {
      for (const name of lines.flatMap((line) => files.names(JSON.parse(line) as Cell[]))) {
        const size = yield* exportFile(task, storage, name, own);
        if (size === undefined) missing.push(name);
        else {
          count += 1;
          bytes += size;
        }
        progress.report('files', count);
      }
    }
  }
  return { count, bytes, sha256: own.sha256() };
}

/** Yields the whole export in chunks of lines. */
async function* exportAll(task: Export, finish: (trailer: Trailer) => void): Text {
  const { context, reader } = task;
  const { contentTypes, schema, storage } = context;
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    project: context.name,
    migration: (await readSchemaState(reader, context.migrations)).migration,
  };
  yield written(task, JSON.stringify(header));
  const sections: SectionSum[] = [];
  let fileRows: FileRows | undefined;
  for (const section of planSections(transferTables(contentTypes, schema))) {
    const files = storage && storedFilesOf(contentTypes, section, storage);
    if (files) fileRows = { section, files };
    sections.push(yield* exportSection(task, section, files));
  }
  const files = yield* exportFiles(task, fileRows);
  const trailer: Trailer = { sections, files, sha256: task.sum.sha256() };
  yield written(task, JSON.stringify(trailer));
  finish(trailer);
}

/** Summarizes a trailer; `sha256` is the hash of the whole file. */
export function transferTotals({ sections, files }: Trailer, sha256: string): TransferTotals {
  const rows = sections.reduce((sum, section) => sum + section.rows, 0);
  const tables = new Set(sections.map(({ table }) => table)).size;
  return { rows, tables, files: files.count, bytes: files.bytes, sha256 };
}

/**
 * Exports a consistent snapshot of the database, and the files of its storage. `consume` pulls the text, so a slow
 * consumer slows down the reading. Throws if migrations are pending, or a stored value is not valid for its attribute.
 */
export async function exportData(
  context: TransferContext,
  consume: (text: AsyncIterable<string>) => Promise<void>,
): Promise<Exported> {
  const missing: string[] = [];
  const sum = createLineHash();
  const trailer = await context.database.snapshot(async (reader) => {
    const done: Trailer[] = [];
    await consume(exportAll({ context, reader, sum, missing }, (made) => void done.push(made)));
    return done[0];
  });
  if (!trailer) throw new Error('The export was not read to the end.');
  return { ...transferTotals(trailer, sum.sha256()), missing };
}
