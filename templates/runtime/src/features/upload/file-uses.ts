/** Where a file is used: which entries have it, in an attribute of their own or inside of components and zones. */
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { join, sql } from '../../database/sql.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { V4 } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import type { UploadContext } from './context.ts';
import { referencesOf } from './file-rows.ts';
import type { FlatFile } from './flat-file.ts';

export interface FileUse {
  readonly type: string;
  readonly id: number;
}

/** Entries of one type that are told of. */
const MOST = 100;
/** Rows that are looked at for them, of each attribute: a file may be in a million entries. */
const MOST_ROWS = 1000;

/** Whether an attribute is private, or one inside of its components. */
function hides(types: ContentTypes, attribute: Attribute, seen = new Set<string>()): boolean {
  if (attribute.private) return true;
  if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return false;
  const uids = attribute.type === 'component' ? [attribute.component] : attribute.components;
  return uids.some((uid) => {
    if (seen.has(uid)) return false;
    seen.add(uid);
    return Object.values(types.components[uid]?.attributes ?? {}).some((inner) => hides(types, inner, seen));
  });
}

/**
 * A type without what answers never show. Which attribute a component's file is in the database does not tell: where one of them is
 * private, all are left out.
 */
function shownPart(types: ContentTypes, { componentLinks, ...type }: ContentType): ContentType {
  const attributes = Object.entries(type.attributes);
  const inComponents = attributes.filter(([, { type: kind }]) => kind === 'component' || kind === 'dynamiczone');
  const isShown = componentLinks && !inComponents.some(([, attribute]) => hides(types, attribute));
  return {
    ...type,
    attributes: Object.fromEntries(attributes.filter(([, attribute]) => !attribute.private)),
    ...(isShown && { componentLinks }),
  };
}

/** The ids of entries of a type that have the file, whoever may see them; the newest of those that are looked at. */
async function ownersOf(
  { database, types }: UploadContext,
  type: ContentType,
  file: number,
  { client }: EntryRequest,
): Promise<number[]> {
  const references = referencesOf(shownPart(types, type));
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

/** Those of the entries that the request's caller sees, drafts and all locales among them. */
async function seen({ reader }: UploadContext, type: ContentType, ids: number[], request: EntryRequest) {
  const query = queryOf({
    filters: { id: { $in: ids } },
    fields: ['id'],
    sort: 'id:desc',
    pagination: { pageSize: MOST, withCount: false },
    ...(type.draftAndPublish && hasRight(request.caller, 'drafts', type.uid) && { publicationState: 'preview' }),
    ...(type.localized && { locale: 'all' }),
  });
  const answer = await reader.list(type, { ...request, query, format: V4 });
  return (answer.entries() as readonly FlatFile[]).map(({ id }): FileUse => ({ type: type.uid, id }));
}

/** The entries that have a file and that the caller may find, by type. */
export async function usesOf(context: UploadContext, file: number, request: EntryRequest): Promise<FileUse[]> {
  const uses: FileUse[] = [];
  for (const type of Object.values(context.types.types)) {
    if (!hasRight(request.caller, 'related', type.uid)) continue;
    const ids = await ownersOf(context, type, file, request);
    if (ids.length > 0) uses.push(...(await seen(context, type, ids, request)));
  }
  return uses;
}
