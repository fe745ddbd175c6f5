/** `entries` for the project's own code: a thin layer over the services that serve HTTP requests. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { EntryServices } from '../create-services.ts';
import type { CollectionService, SingleService } from '../service.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { CallContext, EntryRequest } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
import { BadRequestError, ForbiddenError } from '../../contract/errors.ts';
import { type Action, type Caller, may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';

/** A query as an object, for any type. */
type AnyQuery = Readonly<Record<string, unknown>>;

interface AnyCollection {
  /** `by` is what version 0.1.0 took, and is refused. */
  find(query?: AnyQuery, by?: unknown): Promise<unknown>;
  findOne(id: number, query?: AnyQuery): Promise<unknown>;
  create(data: unknown, query?: AnyQuery): Promise<unknown>;
  update(id: number, data: unknown, query?: AnyQuery): Promise<unknown>;
  delete(id: number, query?: AnyQuery): Promise<unknown>;
}

interface AnySingle {
  find(query?: AnyQuery): Promise<unknown>;
  save(data: unknown, query?: AnyQuery): Promise<unknown>;
  delete(query?: AnyQuery): Promise<unknown>;
}

/** The entries of all types, by uid: the untyped form of the generated `Entries`. */
export type AnyEntries = Readonly<Record<string, AnyCollection | AnySingle>> & { as(caller: Caller): AnyEntries };

/** Checks the permission, and creates the request with this query. */
type Permit = (action: Action, query: AnyQuery | undefined) => EntryRequest;

function permitFor(types: ContentTypes, type: ContentType, call: CallContext): Permit {
  const { caller } = call;
  return (action, query = {}) => {
    if (!may(caller, action, type.uid)) {
      throw new ForbiddenError({ reason: `${caller.role} lacks ${permissionName(type.uid, action)}` });
    }
    if (Object.hasOwn(query, 'caller')) throw callerRefused();
    // Otherwise the answer would lack members that its type promises.
    return { ...call, query: queryOf(query, { refusesHidden: true }) };
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

function collectionEntries(entries: CollectionService, permit: Permit): AnyCollection {
  return {
    async find(query, by) {
      if (by !== undefined) throw callerRefused();
      const answer = await entries.find(permit('find', query));
      return { data: answer.entries(), meta: { pagination: answer.pagination } };
    },
    findOne: async (id, query) => dataOf(entries.findOne(id, permit('findOne', query))),
    create: async (data, query) => dataOf(entries.create(data, permit('create', query))),
    update: async (id, data, query) => dataOf(entries.update(id, data, permitChange(permit, 'update', query))),
    delete: async (id, query) => dataOf(entries.delete(id, permitChange(permit, 'delete', query))),
  };
}

function singleEntries(entry: SingleService, permit: Permit): AnySingle {
  return {
    find: async (query) => dataOf(entry.find(permit('find', query))),
    async save(data, query) {
      const { answer, created } = await entry.save(data, permitChange(permit, 'update', query));
      return { ...oneEntry(answer), created };
    },
    delete: async (query) => dataOf(entry.delete(permitChange(permit, 'delete', query))),
  };
}

/** The entries of the types with these uids, with the rights of the caller. The entries of each type are created on first access. */
export function createEntries(
  services: EntryServices,
  types: ContentTypes,
  uids: readonly string[],
  call: CallContext,
): AnyEntries {
  const entriesOf = (type: ContentType): AnyCollection | AnySingle => {
    const permit = permitFor(types, type, call);
    if (type.kind === 'singleType') return singleEntries(services.single(type.uid), permit);
    return collectionEntries(services.collection(type.uid), permit);
  };
  const entries = { as: (caller: Caller) => createEntries(services, types, uids, { ...call, caller }) };
  for (const uid of uids) {
    const type = types.types[uid];
    let made: AnyCollection | AnySingle | undefined;
    if (type) Object.defineProperty(entries, uid, { enumerable: true, get: () => (made ??= entriesOf(type)) });
  }
  return entries as AnyEntries;
}
