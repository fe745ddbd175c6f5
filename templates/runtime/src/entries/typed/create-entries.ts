/** `entries` for the project's own code: a thin layer over the services that serve HTTP requests. */
import type { AnyCollection, AnyEntries, AnyQuery, AnySingle, Key } from './any-entries.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { HookedType } from '../context.ts';
import type { EntryServices } from '../create-services.ts';
import type { Database } from '../../database/database.ts';
import { documentData } from '../documents/document-data.ts';
import { rowId } from '../documents/row-id.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import { canBeDocumentId, type EntryKey } from '../../query/entry-id.ts';
import { OWN, OWN_AS_CALLER } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import { BadRequestError, ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import { type Action, type AnyAction, type Caller, may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { sentValues } from '../entry-input.ts';
import type { PublicationAction } from '../service.ts';
import { deleteAll, streamed, updateAll } from './many-entries.ts';

/** Where the entries are, and who asks for them. */
export interface EntriesScope {
  readonly services: EntryServices;
  readonly types: ContentTypes;
  readonly uids: readonly string[];
  readonly call: CallContext;
  readonly database: Database;
  /** A type with its hooks. */
  hooked(type: ContentType): HookedType;
  /** Runs several writes in one transaction, with these entries in it. */
  inTransaction<T>(work: (entries: AnyEntries) => Promise<T>): Promise<T>;
}

/** The action that is permitted: files are uploaded. */
function neededFor({ uid }: ContentType, action: Action): AnyAction {
  return uid === 'file' && (action === 'create' || action === 'update') ? 'upload' : action;
}

/** Checks the permission, and creates the request with this query. */
type Permit = (action: Action, query: AnyQuery | undefined) => EntryRequest;

function permitFor(type: ContentType, call: CallContext): Permit {
  const { caller } = call;
  const format = caller.kind === 'server' ? OWN : OWN_AS_CALLER;
  return (action, query = {}) => {
    if (!may(caller, neededFor(type, action), type.uid)) {
      throw new ForbiddenError({ reason: `${caller.role} lacks ${permissionName(type.uid, neededFor(type, action))}` });
    }
    if (Object.hasOwn(query, 'caller')) throw callerRefused();
    // Otherwise the answer would lack members that its type promises.
    return { ...call, query: queryOf(query, { refusesHidden: true }), format };
  };
}

/**
 * The error for code that names a caller as version 0.1.0 wanted it. Without this, such code would run with the rights of the server
 * where nothing compiles it, or where the compiler can't see the mistake.
 */
function callerRefused(): Error {
  return new Error(
    'a query has no `caller`: write entries.as(caller).article.find(query), or leave it out for the server itself',
  );
}

/** Checks the permission for a change, and creates the request, with the precondition `ifMatch` of its options. */
function permitChange(permit: Permit, action: Action, { ifMatch, ...query }: AnyQuery = {}): EntryRequest {
  const request = permit(action, query);
  return ifMatch === undefined ? request : { ...request, expected: { match: versionsOf(ifMatch) } };
}

/** Throws BadRequestError for invalid versions. */
function versionsOf(ifMatch: unknown): readonly number[] {
  const versions: readonly unknown[] = Array.isArray(ifMatch) ? ifMatch : [ifMatch];
  return versions.map((version) => {
    if (typeof version === 'number' && Number.isSafeInteger(version) && version > 0) return version;
    throw new BadRequestError('ifMatch must be the `version` of a returned entry, or a list of versions');
  });
}

function oneEntry(answer: EntryAnswer) {
  return { data: answer.entry(), meta: {}, version: answer.version };
}

async function dataOf(answer: Promise<EntryAnswer>): Promise<ReturnType<typeof oneEntry>> {
  return oneEntry(await answer);
}

/** The whole body of an answer. */
async function whole(answer: Promise<EntryAnswer>): Promise<unknown> {
  return (await answer).toJSON();
}

function localeOf({ locales }: ContentTypes, locale: unknown): string {
  return typeof locale === 'string' ? locale : (locales[0] ?? '');
}

/** The data with the ids of rows in place of document ids: the locale is that of the query, the data, or the default. */
async function withRowIds(
  { database, types, call, hooked: of }: EntriesScope,
  type: ContentType,
  data: unknown,
  { locale = sentValues(data)['locale'] }: AnyQuery = {},
): Promise<unknown> {
  if (!type.documentIds) return data;
  return documentData({ database, types, type, of }, data, {
    call,
    locale: localeOf(types, locale),
    keepsUnknown: true,
  });
}

/** The key of an entry. Throws NotFoundError for a string that can't be a document id of the type. */
function entryKey({ documentIds }: ContentType, key: Key): EntryKey {
  if (typeof key === 'number') return key;
  if (documentIds && canBeDocumentId(key)) return { documentId: key };
  throw new NotFoundError();
}

function collectionEntries(scope: EntriesScope, type: ContentType, permit: Permit): AnyCollection {
  const entries = scope.services.collection(type.uid);
  /** The row that is written: of a document id, that in the locale of the query. */
  const rowIn = async (key: Key, { locale }: AnyQuery = {}): Promise<number> => {
    const found = entryKey(type, key);
    if (typeof found === 'number') return found;
    return rowId(scope.database, type, found, localeOf(scope.types, locale));
  };
  const act = (action: PublicationAction) => async (key: Key, query?: AnyQuery) =>
    dataOf(entries.act(entryKey(type, key), action, permitChange(permit, 'update', query)));
  const page = async (query: AnyQuery | undefined) => entries.find(permit('find', query));
  /** Compiled for this read alone: the query cache would keep a page that nobody asks for again, and its memory. */
  const pageReadOnce = async (query: AnyQuery) => {
    const request = permit('find', query);
    return entries.find({ ...request, query: { ...request.query, shape: undefined } });
  };
  const collection: AnyCollection = {
    async find(query, by) {
      if (by !== undefined) throw callerRefused();
      const answer = await page(query);
      return { data: answer.entries(), meta: { pagination: answer.pagination } };
    },
    count: async (query) => entries.count(permit('find', query)),
    async exists(query) {
      const answer = await page({ ...query, fields: ['id'], pagination: { pageSize: 1, withCount: false } });
      return answer.entries().length > 0;
    },
    stream: (query) => streamed(pageReadOnce, query),
    findOne: async (key, query) => dataOf(entries.findOne(entryKey(type, key), permit('findOne', query))),
    create: async (data, query) =>
      dataOf(entries.create(await withRowIds(scope, type, data, query), permit('create', query))),
    update: async (key, data, query) =>
      dataOf(
        entries.update(
          await rowIn(key, query),
          await withRowIds(scope, type, data, query),
          permitChange(permit, 'update', query),
        ),
      ),
    delete: async (key, query) =>
      dataOf(entries.delete(await rowIn(key, query), permitChange(permit, 'delete', query))),
    async createMany(all, query) {
      const data = await Promise.all(all.map((each) => withRowIds(scope, type, each, query)));
      return entries.createMany(data, permit('create', query));
    },
    updateMany: (query, data) =>
      scope.inTransaction((inside) => updateAll(inside[type.uid] as AnyCollection, query, data)),
    deleteMany: (query) => scope.inTransaction((inside) => deleteAll(inside[type.uid] as AnyCollection, query)),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discard-draft'),
    versions: async (key, query) => whole(entries.history.list(entryKey(type, key), permit('history', query))),
    version: async (key, version, query) =>
      whole(entries.history.version(entryKey(type, key), String(version), permit('history', query))),
    differences: async (key, from, to, query) =>
      whole(entries.history.version(entryKey(type, key), `${from}..${to}`, permit('history', query))),
    restore: async (key, version, query) =>
      dataOf(entries.history.restore(entryKey(type, key), String(version), permitChange(permit, 'update', query))),
  };
  return collection;
}

function singleEntries(scope: EntriesScope, type: ContentType, permit: Permit): AnySingle {
  const entry = scope.services.single(type.uid);
  const act = (action: PublicationAction) => async (query?: AnyQuery) =>
    dataOf(entry.act(action, permitChange(permit, 'update', query)));
  return {
    find: async (query) => dataOf(entry.find(permit('find', query))),
    async save(data, query) {
      const { answer, created } = await entry.save(
        await withRowIds(scope, type, data, query),
        permitChange(permit, 'update', query),
      );
      return { ...oneEntry(answer), created };
    },
    delete: async (query) => dataOf(entry.delete(permitChange(permit, 'delete', query))),
    publish: act('publish'),
    unpublish: act('unpublish'),
    discardDraft: act('discard-draft'),
    versions: async (query) => whole(entry.history.list(permit('history', query))),
    version: async (version, query) => whole(entry.history.version(String(version), permit('history', query))),
    differences: async (from, to, query) => whole(entry.history.version(`${from}..${to}`, permit('history', query))),
    restore: async (version, query) =>
      dataOf(entry.history.restore(String(version), permitChange(permit, 'update', query))),
  };
}

/** The entries of the types with these uids, with the rights of the caller. The entries of each type are created on first access. */
export function createEntries(scope: EntriesScope): AnyEntries {
  const { types, uids, call } = scope;
  const entriesOf = (type: ContentType): AnyCollection | AnySingle => {
    const permit = permitFor(type, call);
    if (type.kind === 'singleType') return singleEntries(scope, type, permit);
    return collectionEntries(scope, type, permit);
  };
  const as = (caller: Caller): AnyEntries =>
    createEntries({
      ...scope,
      call: { ...call, caller },
      inTransaction: (work) => scope.inTransaction((inside) => work(inside.as(caller))),
    });
  const entries = { as };
  for (const uid of uids) {
    const type = types.types[uid];
    let created: AnyCollection | AnySingle | undefined;
    if (type) Object.defineProperty(entries, uid, { enumerable: true, get: () => (created ??= entriesOf(type)) });
  }
  return entries as unknown as AnyEntries;
}
