/** The entries of a server for its team's own code: a thin layer over the services that HTTP requests go through. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { EntryServices } from '../create-services.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import { ForbiddenError } from '../../contract/errors.ts';
import { loadQs } from '../../base/late-packages.ts';
import { may, SERVER, type Action, type Caller } from '../../contract/policy/caller.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
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

/** Nothing is left out: an empty `$in` means no entry, not every entry. */
function queryString(query: AnyQuery): string {
  return loadQs().stringify(query, { allowEmptyArrays: true });
}

function permitFor(types: ContentTypes, type: ContentType, server: Caller): Permit {
  return (action, by, query) => {
    const caller = by.caller === 'server' ? server : by.caller;
    if (!may(caller, action, type.uid)) {
      throw new ForbiddenError({ reason: `${caller.role} lacks ${permissionName(type.uid, action)}` });
    }
    checkLinks(types, type, caller, query['populate']);
    return { caller, query: queryString(query) };
  };
}

function separate({ caller, ...query }: AnyOptions): { by: By; query: AnyQuery } {
  return { by: { caller }, query };
}

function collectionEntries(services: EntryServices, uid: string, permit: Permit): AnyCollection {
  const entries = services.collection(uid);
  const request = (action: Action, options: AnyOptions) => {
    const { by, query } = separate(options);
    return permit(action, by, query);
  };
  return {
    find: async (query, by) => JSON.parse(String(await entries.find(permit('find', by, query)))),
    findOne: async (id, options) => JSON.parse(await entries.findOne(String(id), request('findOne', options))),
    create: async (data, options) => JSON.parse(await entries.create(data, request('create', options))),
    update: async (id, data, options) => JSON.parse(await entries.update(String(id), data, request('update', options))),
    delete: async (id, options) => JSON.parse(await entries.delete(String(id), request('delete', options))),
  };
}

function singleEntries(services: EntryServices, uid: string, permit: Permit): AnySingle {
  const entry = services.single(uid);
  const request = (action: Action, options: AnyOptions) => {
    const { by, query } = separate(options);
    return permit(action, by, query);
  };
  return {
    find: async (options) => JSON.parse(await entry.find(request('find', options))),
    save: async (data, options) => {
      const { body, created } = await entry.save(data, request('update', options));
      return { ...JSON.parse(body), created };
    },
    delete: async (options) => JSON.parse(await entry.delete(request('delete', options))),
  };
}

/** The entries of the types with these uids. */
export function createEntries(services: EntryServices, types: ContentTypes, uids: readonly string[]): AnyEntries {
  const server: Caller = Object.freeze({ kind: 'server', role: SERVER, permissions: new Set(knownPermissions(types)) });
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
