/** Looks up an existing entry, with what a write needs to know of it, in one statement. */
import { COLUMN_NAMES } from '../contract/column-names.ts';
import type { ContentType } from '../contract/content-type.ts';
import type { Executor } from '../database/executor.ts';
import type { Row } from '../database/statement-runner.ts';
import type { Dialect } from '../database/dialect.ts';
import { sql, type Sql } from '../database/sql.ts';
import { NotFoundError } from '../contract/errors.ts';
import { VERSION_COLUMN } from '../write/version.ts';
import type { StoredEntry } from './context.ts';

/** An entry that was looked up. */
export interface FoundEntry extends StoredEntry {
  readonly version: number;
}

/** The number of other published locales. Not EXISTS, which may return false if an engine continues after an interruption. */
function othersPublished({ neverNull }: Dialect, type: ContentType, table: Sql): Sql {
  if (!type.draftAndPublish) return sql`1`;
  const others = sql`SELECT COUNT(*) FROM ${table} AS o WHERE o.document_id = t.document_id AND o.id <> t.id AND o.published_at IS NOT NULL`;
  return neverNull(others);
}

function versionIn(row: Row): number | undefined {
  const version = row['published_version'] ?? null;
  return version === null ? undefined : Number(version);
}

/** What is known of the published version, if it is beside the draft. */
function publishedColumns({ id }: Dialect, { published }: ContentType): { readonly columns: Sql; readonly from: Sql } {
  if (!published) return { columns: sql``, from: sql`` };
  const version = sql`p.${id(VERSION_COLUMN)} AS published_version`;
  return {
    columns: sql`, ${version}, CASE WHEN p.updated_at <> t.updated_at THEN 1 ELSE 0 END AS modified`,
    from: sql` LEFT JOIN ${id(published.table)} AS p ON p.id = t.id`,
  };
}

function storedEntry(type: ContentType, row: Row): FoundEntry {
  return {
    id: Number(row['id']),
    version: Number(row['version']),
    published: Number(row['published']) === 1,
    ...(type.published && { modified: Number(row['modified']) === 1, publishedVersion: versionIn(row) }),
    localization: type.localized
      ? {
          documentId: String(row[COLUMN_NAMES.documentId]),
          locale: String(row['locale']),
          othersPublished: Number(row['others_published']) > 0,
        }
      : undefined,
  };
}

/** Selects what writes need to know of entries; the rows have the alias `t`. */
function selectEntries(executor: Executor, type: ContentType, condition: Sql): Sql {
  const table = executor.dialect.id(type.table);
  const published = type.draftAndPublish ? sql`CASE WHEN t.published_at IS NULL THEN 0 ELSE 1 END` : sql`1`;
  const localization = type.localized
    ? sql`, t.document_id, t.locale, ${othersPublished(executor.dialect, type, table)} AS others_published`
    : sql``;
  const version = sql`t.${executor.dialect.id(VERSION_COLUMN)} AS version`;
  const { columns, from } = publishedColumns(executor.dialect, type);
  return sql`SELECT t.id, ${version}, ${published} AS published${columns}${localization} FROM ${table} AS t${from} WHERE ${condition} ORDER BY t.id`;
}

/** The first entry that meets `condition`, in which rows have the alias `t`; undefined if there is none. */
export async function findEntry(
  executor: Executor,
  type: ContentType,
  condition: Sql,
): Promise<FoundEntry | undefined> {
  const row = await executor.get(sql`${selectEntries(executor, type, condition)} LIMIT 1`);
  return row && storedEntry(type, row);
}

/** All entries that meet `condition`, which should be few. */
export async function findEntries(
  executor: Executor,
  type: ContentType,
  condition: Sql,
): Promise<readonly FoundEntry[]> {
  const rows = await executor.all(selectEntries(executor, type, condition));
  return rows.map((row) => storedEntry(type, row));
}

/**
 * What a write needs to know of an entry, if that is the same for all entries of the type. The write then finds out whether the
 * entry exists.
 */
export function assumedEntry({ draftAndPublish, localized }: ContentType, id: number): StoredEntry | undefined {
  return draftAndPublish || localized
    ? undefined
    : { id, version: undefined, published: true, localization: undefined };
}

/** The entry with an id. Throws NotFoundError if there is none. */
export async function getEntry(executor: Executor, type: ContentType, id: number): Promise<FoundEntry> {
  const stored = await findEntry(executor, type, sql`t.id = ${id}`);
  if (!stored) throw new NotFoundError();
  return stored;
}
