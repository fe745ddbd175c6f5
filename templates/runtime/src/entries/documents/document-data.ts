/** Resolves the document ids in the `data` of a request in the v5 format. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { BadRequestError } from '../../contract/errors.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { join, sql, type Sql } from '../../database/sql.ts';
import { canBeDocumentId } from '../../query/entry-id.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { TypeContext } from '../context.ts';
import { visibleAmong } from '../visible-entry.ts';
import { walkData } from './data-walk.ts';
import type { DocumentRef } from './relation-data.ts';
import { unknownKeys } from './unknown-keys.ts';

/** The call that writes, its locale, and whether names of no attribute are left to the validators. */
export interface DataScope {
  readonly call: CallContext;
  readonly locale: string;
  readonly keepsUnknown?: boolean;
}

/** The type of the data. */
type DataContext = Pick<TypeContext, 'database' | 'types' | 'type' | 'of'>;

/** A reference to look up: in a locale, if its type is localized. */
interface Wanted {
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string | undefined;
}

function keyOf({ type, documentId, locale }: Wanted): string {
  return JSON.stringify([type.uid, documentId, locale]);
}

/** Whether such an entry can exist. Otherwise each invented locale would cost a statement of its own. */
function canBe({ locales }: ContentTypes, { documentId, locale }: Wanted): boolean {
  return canBeDocumentId(documentId) && (locale === undefined || locales.includes(locale));
}

/** Between localized entries, the locale is the source's; otherwise it is the one given with the reference, or the default. */
function wantedOf({ types, type }: DataContext, ref: DocumentRef, scope: DataScope): Wanted | undefined {
  const target = Object.hasOwn(types.types, ref.type) ? types.types[ref.type] : undefined;
  if (!target?.documentIds) return undefined;
  // Between entries, any row names its entry.
  if (ref.isShared) return { type: target, documentId: ref.documentId, locale: undefined };
  const named = type.localized ? scope.locale : (ref.locale ?? types.locales[0]);
  return { type: target, documentId: ref.documentId, locale: target.localized ? named : undefined };
}

function mayName(caller: Caller, { uid }: ContentType): boolean {
  return hasRight(caller, uid === 'file' ? 'namedFiles' : 'targets', uid);
}

interface Group extends Omit<Wanted, 'documentId'> {
  readonly documentIds: Set<string>;
}

/** Groups references that one statement can look up. */
function groupsOf(all: readonly Wanted[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { type, locale, documentId } of all) {
    const key = JSON.stringify([type.uid, locale]);
    const group = groups.get(key) ?? { type, locale, documentIds: new Set() };
    groups.set(key, group);
    group.documentIds.add(documentId);
  }
  return groups.values();
}

interface Row {
  readonly id: number;
  readonly documentId: string;
}

/** The rows of documents that the caller may name, with the least ids first: others are as if they did not exist. */
async function rowsOf(
  { database, of }: DataContext,
  { type, locale, documentIds }: Group,
  call: CallContext,
): Promise<readonly Row[]> {
  const { dialect } = database;
  const listed = dialect.jsonRows(JSON.stringify([...documentIds].map((v) => ({ v }))), { v: 'text' });
  const conditions: Sql[] = [sql`t.document_id IN (SELECT l.v FROM ${listed} AS l)`];
  if (locale !== undefined) conditions.push(sql`t.locale = ${locale}`);
  const rows = await database.all(
    sql`SELECT t.id, t.document_id FROM ${dialect.id(type.table)} AS t WHERE ${join(conditions, ' AND ')} ORDER BY t.id`,
  );
  const all = rows.map((row) => ({ id: Number(row['id']), documentId: String(row[COLUMN_NAMES.documentId]) }));
  const visible = await visibleAmong(
    of(type),
    all.map(({ id }) => id),
    call,
  );
  return all.filter(({ id }) => visible.has(id));
}

/** The ids of the existing entries, by `keyOf` of the references. Takes one statement per type and locale, and one if rules hide some. */
async function lookUp(
  context: DataContext,
  all: readonly Wanted[],
  call: CallContext,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const group of groupsOf(all)) {
    const { type, locale } = group;
    for (const { id, documentId } of await rowsOf(context, group, call)) {
      const key = keyOf({ type, documentId, locale });
      if (!found.has(key)) found.set(key, id);
    }
  }
  return found;
}

function notFound({ documentId }: DocumentRef, locale: string | undefined): BadRequestError {
  return new BadRequestError(`Document with id "${documentId.slice(0, 100)}", locale "${locale ?? null}" not found`);
}

/**
 * The data for the validators, with ids. Throws HttpError 400 for unknown names, and for a document that does not exist or that
 * the caller may not name.
 */
export async function documentData(context: DataContext, data: unknown, scope: DataScope): Promise<unknown> {
  const { types, type } = context;
  const unknown = unknownKeys();
  const walk = {
    types,
    attributes: type.attributes,
    unknown,
    setsAll: scope.call.caller.kind === 'server',
    keepsUnknown: scope.keepsUnknown === true,
  };
  const wanted: Wanted[] = [];
  walkData(
    {
      ...walk,
      resolve(ref) {
        const one = wantedOf(context, ref, scope);
        if (one && canBe(types, one) && mayName(scope.call.caller, one.type)) wanted.push(one);
        // Any id will do in the first walk, which only collects the references.
        return 1;
      },
    },
    data,
  );
  unknown.check();
  const found = await lookUp(context, wanted, scope.call);
  const resolve = (ref: DocumentRef): number | undefined => {
    const one = wantedOf(context, ref, scope);
    const id = one && found.get(keyOf(one));
    if (id === undefined && !ref.isGone) throw notFound(ref, one?.locale);
    return id;
  };
  return walkData({ ...walk, resolve }, data);
}
