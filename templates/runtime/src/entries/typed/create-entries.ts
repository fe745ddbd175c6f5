/** The entries of a server for its team's own code: a thin layer over the services that HTTP requests go through. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { EntryServices } from '../create-services.ts';
import type { EntryAnswer } from '../../query/answer.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { type Action, type Caller, may } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { serverCaller } from '../server-caller.ts';
import { checkLinks } from './check-links.ts';
import type { By } from './entries.ts';

/** A query as an object, whatever it is about. */
type AnyQuery = Readonly<Record<string, unknown>>;
type AnyOptions = AnyQuery & By;

interface AnyCollection {
  find(query: AnyQuery, by: By): Promise<unknown>;
  findOne(id: number, options: AnyOptions): Promise<unknown>;
  create(data: unknown, options: AnyOptions): Promise<unknown>;
  update(id: number, data: unknown, options: AnyOptions): Promise<unknown>;
  delete(id: number, options: AnyOptions): Promise<unknown>;
}

interface AnySingle {
  find(options: AnyOptions): Promise<unknown>;
  save(data: unknown, options: AnyOptions): Promise<unknown>;
  delete(options: AnyOptions): Promise<unknown>;
}

/** The entries of all types, by uid: the generated `Entries` without its types. */
export type AnyEntries = Readonly<Record<string, AnyCollection | AnySingle>>;

/** Who asks for what, once it is known to be permitted. */
type Permit = (action: Action, by: By, query: AnyQuery) => EntryRequest;

function permitFor(types: ContentTypes, type: ContentType, server: Caller): Permit {
  return (action, by, query) => {
    const caller = by.caller === 'server' ? server : by.caller;
    if (!may(caller, action, type.uid)) {
      throw new ForbiddenError({ reason: `${caller.role} lacks ${permissionName(type.uid, action)}` });
    }
    checkLinks(types, type, caller, query['populate']);
    return { caller, query: queryOf(query) };
  };
}

function separate({ caller, ...query }: AnyOptions): { by: By; query: AnyQuery } {
  return { by: { caller }, query };
}

async function dataOf(answer: Promise<EntryAnswer>): Promise<{ readonly data: unknown; readonly meta: object }> {
  return { data: (await answer).entry(), meta: {} };
}

function collectionEntries(services: EntryServices, uid: string, permit: Permit): AnyCollection {
  const entries = services.collection(uid);
  const request = (action: Action, options: AnyOptions) => {
    const { by, query } = separate(options);
    return permit(action, by, query);
  };
  return {
    async find(query, by) {
      const answer = await entries.find(permit('find', by, query));
      return { data: answer.entries(), meta: { pagination: answer.pagination } };
    },
    findOne: async (id, options) => dataOf(entries.findOne(id, request('findOne', options))),
    create: async (data, options) => dataOf(entries.create(data, request('create', options))),
    update: async (id, data, options) => dataOf(entries.update(id, data, request('update', options))),
    delete: async (id, options) => dataOf(entries.delete(id, request('delete', options))),
  };
}

function singleEntries(services: EntryServices, uid: string, permit: Permit): AnySingle {
  const entry = services.single(uid);
  const request = (action: Action, options: AnyOptions) => {
    const { by, query } = separate(options);
    return permit(action, by, query);
  };
  return {
    find: async (options) => dataOf(entry.find(request('find', options))),
    async save(data, options) {
      const { answer, created } = await entry.save(data, request('update', options));
      return { data: answer.entry(), meta: {}, created };
    },
    delete: async (options) => dataOf(entry.delete(request('delete', options))),
  };
}

/** The entries of the types with these uids. */
export function createEntries(services: EntryServices, types: ContentTypes, uids: readonly string[]): AnyEntries {
  const server = serverCaller(types);
  return Object.fromEntries(
    uids.flatMap((uid) => {
      const type = types.types[uid];
      if (!type) return [];
      const permit = permitFor(types, type, server);
      const isSingle = type.kind === 'singleType';
      return [[uid, isSingle ? singleEntries(services, uid, permit) : collectionEntries(services, uid, permit)]];
    }),
  );
}
