/** Rows of the type `file`. */
import { insertRow, scalarColumns, updateRows, type Columns } from '../../write/columns.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { Executor } from '../../database/database.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { castScalar } from '../../contract/attribute-types/scalar-type.ts';
import type { UploadContext } from './context.ts';
import type { FileInfo } from './file-info.ts';
import type { FileValues } from './store-files.ts';

function canonical(type: ContentType, name: string, value: unknown): unknown {
  const attribute = type.attributes[name];
  if (attribute === undefined || value === null || value === undefined) return value;
  const result = castScalar(attribute.type as Parameters<typeof castScalar>[0], value);
  if (!result.ok) throw new Error(`${name} of a file ${result.message}`);
  return result.value;
}

/** New values of an entry; undefined ones are left unchanged. */
type FileChange = Partial<Omit<FileValues, 'name'>> & FileInfo;

function columnsOf(tx: Executor, type: ContentType, values: FileChange): Columns {
  const entries = Object.entries(values).map(([name, value]) => [name, canonical(type, name, value)] as const);
  const columns = scalarColumns(tx.dialect, type, Object.fromEntries(entries));
  columns.set('updated_at', sql`${tx.dialect.bind('datetime', new Date().toISOString())}`);
  return columns;
}

/** Inserts an entry; returns its id. */
export function insertFile(
  tx: Executor,
  { fileType }: UploadContext,
  values: FileValues,
  info: FileInfo,
): Promise<number> {
  const columns = columnsOf(tx, fileType, { ...values, ...info, name: info.name ?? values.name });
  columns.set('created_at', columns.get('updated_at') ?? sql`NULL`);
  return insertRow(tx, fileType.table, columns);
}

/** Updates the given values of an entry; false if it does not exist. */
export function updateFile(
  tx: Executor,
  { fileType }: UploadContext,
  id: number,
  values: FileChange,
): Promise<boolean> {
  return updateRows(tx, fileType.table, sql`id = ${id}`, columnsOf(tx, fileType, values));
}

/** Locks an entry until the transaction ends, so that its file can't be replaced concurrently. */
export async function lockFile(tx: Executor, { fileType }: UploadContext, id: number): Promise<void> {
  await tx.get(sql`SELECT id FROM ${tx.dialect.id(fileType.table)} WHERE id = ${id}${tx.dialect.rowLock}`);
}

/** Deletes an entry. Foreign keys remove it from the entries that had the file. */
export async function deleteFile(tx: Executor, { fileType }: UploadContext, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM ${tx.dialect.id(fileType.table)} WHERE id = ${id}`);
}

interface Reference {
  readonly table: string;
  readonly column: string;
}

/** The foreign keys of one type that refer to files. */
function referencesOf(type: ContentType): Reference[] {
  const found: Reference[] = [];
  for (const attribute of Object.values(type.attributes)) {
    if (attribute.type !== 'media' && attribute.type !== 'relation') continue;
    const { storage } = attribute;
    const column =
      storage.kind === 'morph' && Object.hasOwn(storage.targets, 'file') ? storage.targets['file'] : undefined;
    if (storage.kind === 'morph' && column !== undefined) found.push({ table: storage.table, column });
    if (attribute.type === 'relation' && attribute.target !== 'file') continue;
    if (storage.kind === 'foreignKey') found.push({ table: type.table, column: storage.column });
    if (storage.kind === 'link') found.push({ table: storage.table, column: storage.other });
  }
  const inside = type.componentLinks?.targets['file'];
  if (type.componentLinks && inside !== undefined) found.push({ table: type.componentLinks.table, column: inside });
  return found;
}

function unreferenced(tx: Executor, types: ContentTypes, id: number): Sql {
  const { dialect } = tx;
  const conditions = Object.values(types.types).flatMap((type) =>
    referencesOf(type).map(
      ({ table, column }) => sql`NOT EXISTS (SELECT 1 FROM ${dialect.id(table)} WHERE ${dialect.id(column)} = ${id})`,
    ),
  );
  return join([sql`id = ${id}`, ...conditions], ' AND ');
}

/** Deletes an entry unless another entry refers to it; false if it was not deleted. */
export async function deleteUnreferencedFile(tx: Executor, context: UploadContext, id: number): Promise<boolean> {
  const { fileType, types } = context;
  const { changes } = await tx.run(
    sql`DELETE FROM ${tx.dialect.id(fileType.table)} WHERE ${unreferenced(tx, types, id)}`,
  );
  return changes > 0;
}
