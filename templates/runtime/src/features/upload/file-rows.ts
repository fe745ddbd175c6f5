/** Rows of the type `file`. */
import { type Columns, insertInto, scalarColumns, updateWhere } from '../../write/columns.ts';
import { incrementVersionsOfReferrers } from '../../content/relations/referrer-versions.ts';
import { addVersionIncrement } from '../../write/version.ts';
import { setDocumentId } from '../../write/document-id.ts';
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { ContentType } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { Executor } from '../../database/executor.ts';
import { statement, type Statement, type Subject } from '../../database/write-plan.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { deleteRows, join, sql } from '../../database/sql.ts';
import { TAG_TEXT_ATTRIBUTE, TAGS_ATTRIBUTE, tagTextOf } from '../../contract/upload-tags.ts';
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
type FileChange = Partial<Omit<FileValues, 'name' | 'focalPoint' | 'crop'>> & FileInfo;

function columnsOf(dialect: Dialect, type: ContentType, values: FileChange): Columns {
  const { tags } = values;
  const all = tags ? { ...values, [TAG_TEXT_ATTRIBUTE]: tagTextOf(tags) } : values;
  const entries = Object.entries(all).map(([name, value]) => [name, canonical(type, name, value)] as const);
  const columns = scalarColumns(dialect, type, Object.fromEntries(entries));
  return columns.set(NAMES.updatedAt, dialect.bind('datetime', new Date().toISOString()));
}

/** A planned write of a row of the type `file`. */
export interface FileWrite<Id = number> {
  readonly subject: Subject;
  readonly id: Id;
  readonly row: Statement;
}

/** Inserts an entry. */
export function insertFile(
  dialect: Dialect,
  { fileType }: UploadContext,
  values: FileValues,
  { info, caller }: { readonly info: FileInfo; readonly caller: Caller },
): FileWrite<NewId> {
  const tags = fileType.attributes[TAGS_ATTRIBUTE] && { tags: info.tags ?? [] };
  const columns = columnsOf(dialect, fileType, { ...values, ...info, ...tags, name: info.name ?? values.name });
  columns.set(NAMES.createdAt, columns.get(NAMES.updatedAt) ?? null);
  setDocumentId(columns, fileType);
  const uploadedBy = fileType.attributes['uploadedBy'];
  if (uploadedBy?.type === 'relation' && uploadedBy.storage.kind === 'foreignKey') {
    columns.set(uploadedBy.storage.column, caller.userId ?? caller.tokenOf ?? null);
  }
  const id = new NewId(fileType.table);
  const row = insertInto(dialect, fileType.table, columns, { generatedId: id });
  return { subject: { action: 'create', type: fileType.uid, id }, id, row };
}

/** Updates the given values of an entry. The plan throws NotFoundError if it does not exist. */
export function updateFile(dialect: Dialect, { fileType }: UploadContext, id: number, values: FileChange): FileWrite {
  const row = updateWhere(dialect, fileType.table, {
    condition: sql`id = ${id}`,
    columns: addVersionIncrement(dialect, columnsOf(dialect, fileType, values)),
    noRowError: () => new NotFoundError(),
  });
  return { subject: { action: 'update', type: fileType.uid, id }, id, row };
}

/** Locks an entry until the transaction ends, so that its file can't be replaced concurrently. */
export async function lockFile(tx: Executor, { fileType }: UploadContext, id: number): Promise<void> {
  await tx.get(sql`SELECT id FROM ${tx.dialect.id(fileType.table)} WHERE id = ${id}${tx.dialect.rowLock}`);
}

interface FileRemoval {
  readonly before: readonly Statement[];
}

/** Deletes an entry. Foreign keys remove it from the entries that had the file. */
export function deleteFile(dialect: Dialect, { types, fileType }: UploadContext, id: number): FileWrite & FileRemoval {
  const row = statement(deleteRows(dialect.id(fileType.table), sql`id = ${id}`));
  const before = incrementVersionsOfReferrers(dialect, types, fileType, id);
  return { subject: { action: 'delete', type: fileType.uid, id }, id, row, before };
}

interface Reference {
  readonly table: string;
  /** The column with the file's id; `owner` is the column with the id of the entry that uses it. */
  readonly column: string;
  readonly owner: string;
}

/** The foreign keys of one type that refer to files. */
export function referencesOf(type: ContentType): Reference[] {
  const found: Reference[] = [];
  for (const attribute of Object.values(type.attributes)) {
    if (attribute.type !== 'media' && attribute.type !== 'relation') continue;
    const { storage } = attribute;
    const column =
      storage.kind === 'morph' && Object.hasOwn(storage.targets, 'file') ? storage.targets['file'] : undefined;
    if (storage.kind === 'morph' && column !== undefined) {
      found.push({ table: storage.table, column, owner: storage.own });
    }
    if (attribute.type === 'relation' && attribute.target !== 'file') continue;
    if (storage.kind === 'foreignKey') found.push({ table: type.table, column: storage.column, owner: 'id' });
    if (storage.kind === 'link') found.push({ table: storage.table, column: storage.other, owner: storage.own });
  }
  const inside = type.componentLinks?.targets['file'];
  if (type.componentLinks && inside !== undefined) {
    found.push({ table: type.componentLinks.table, column: inside, owner: NAMES.owner });
  }
  return found;
}

/** Per statement: the engines limit the depth of an expression, and the number of tables. */
const REFERENCES_AT_ONCE = 50;

/** Whether anything references a file. The file must be locked, so that no reference is added concurrently. */
export async function isReferenced(tx: Executor, { types }: UploadContext, id: number): Promise<boolean> {
  const { dialect } = tx;
  const counts = Object.values(types.types)
    .flatMap(referencesOf)
    .map(({ table, column }) => {
      const first = sql`SELECT 1 AS one FROM ${dialect.id(table)} WHERE ${dialect.id(column)} = ${id} LIMIT 1`;
      // Not EXISTS, which may return false if an engine continues after an interruption.
      return dialect.neverNull(sql`SELECT COUNT(*) FROM (${first}) AS f`);
    });
  for (let at = 0; at < counts.length; at += REFERENCES_AT_ONCE) {
    const row = await tx.get(sql`SELECT ${join(counts.slice(at, at + REFERENCES_AT_ONCE), ' + ')} AS number`);
    if (Number(row?.['number']) !== 0) return true;
  }
  return false;
}
