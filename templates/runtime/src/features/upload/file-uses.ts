/** Finds the entries that use a file, in their own attributes or inside components and dynamic zones. */
import type { ContentType } from '../../contract/content-type.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { join, sql } from '../../database/sql.ts';
import { inState } from '../../contract/states.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { V4 } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import { statesSeen } from '../../query/rules/file-uses.ts';
import { shownPart } from '../../query/rules/shown-part.ts';
import type { UploadContext } from './context.ts';
import { referencesOf } from './file-rows.ts';
import type { FlatFile } from './flat-file.ts';

export interface FileUse {
  readonly type: string;
  readonly id: number;
}

/** Maximum number of entries returned per type. */
const MOST = 100;
/** Maximum number of rows read per attribute: a file may be used by a million entries. */
const MOST_ROWS = 1000;

/** Ids of the entries of a type, in its state, that use the file, newest first, regardless of permissions. */
async function ownersOf(
  { database, types }: UploadContext,
  type: ContentType,
  file: number,
  { caller, client }: EntryRequest,
): Promise<number[]> {
  const references = referencesOf(shownPart(types, type, caller));
  if (references.length === 0) return [];
  const { id } = database.dialect;
  const owners = references.map(({ table, column, owner }) => {
    const rows = sql`SELECT ${id(owner)} AS owner FROM ${id(table)} WHERE ${id(column)} = ${file} LIMIT ${MOST_ROWS}`;
    return sql`SELECT owner FROM (${rows}) AS r`;
  });
  const rows = await database.all(
    sql`SELECT DISTINCT owner FROM (${join(owners, ' UNION ALL ')}) AS o ORDER BY owner DESC LIMIT ${MOST}`,
    { client },
  );
  return rows.map(({ owner }) => Number(owner));
}

/** The subset of the entries that the caller may see in a state, in all locales. */
async function seen(
  { reader }: UploadContext,
  type: ContentType,
  { ids, live }: { readonly ids: readonly number[]; readonly live: boolean },
  request: EntryRequest,
): Promise<readonly number[]> {
  const query = queryOf({
    filters: { id: { $in: ids } },
    fields: ['id'],
    sort: 'id:desc',
    pagination: { pageSize: MOST, withCount: false },
    ...(type.draftAndPublish && !live && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
  });
  const answer = await reader.list(type, { ...request, query, format: V4, isKnown: undefined });
  return (answer.entries() as readonly FlatFile[]).map(({ id }) => id);
}

/** The entries that use a file and that the caller may see, grouped by type. */
export async function usesOf(context: UploadContext, file: number, request: EntryRequest): Promise<FileUse[]> {
  const uses: FileUse[] = [];
  for (const type of Object.values(context.types.types)) {
    if (!hasRight(request.caller, 'related', type.uid)) continue;
    const found = new Set<number>();
    for (const live of statesSeen(request.caller, type)) {
      const ids = await ownersOf(context, inState(context.types, type, live), file, request);
      if (ids.length === 0) continue;
      for (const id of await seen(context, type, { ids, live }, request)) found.add(id);
    }
    const newest = [...found].toSorted((a, b) => b - a).slice(0, MOST);
    uses.push(...newest.map((id): FileUse => ({ type: type.uid, id })));
  }
  return uses;
}
