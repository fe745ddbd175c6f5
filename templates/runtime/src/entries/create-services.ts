/** The entry services of all types of a server. */
import type { ContentTypes } from '../contract/content-type.ts';
import { serverCaller } from '../contract/policy/server-caller.ts';
import type { Database } from '../database/database.ts';
import type { Reader } from '../query/reader.ts';
import type { EntryValidators } from '../content/validators/index.ts';
import { collectionService } from './collection-service.ts';
import type { AfterCommit, TypeContext } from './context.ts';
import { flatCollection, flatSingle } from './documents/flat-answers.ts';
import { hasHook, type TypeHooks } from './hooks.ts';
import type { CollectionService, SingleService } from './service.ts';
import { singleService } from './single-service.ts';

export interface EntryServices {
  /** Throws for a uid that is not a collection type of this server, which is a defect. */
  collection(uid: string): CollectionService;
  single(uid: string): SingleService;
}

export interface EntryDefinition {
  readonly contentTypes: ContentTypes;
  /** By uid, for the types that have entry services. */
  readonly modules: Readonly<Record<string, () => Promise<{ readonly validators: EntryValidators }>>>;
}

export function createEntryServices({
  database,
  reader,
  definition: { contentTypes: types, modules },
  hooks,
  afterCommit = (work) => work(),
}: {
  readonly database: Database;
  readonly reader: Reader;
  readonly definition: EntryDefinition;
  readonly hooks: Readonly<Record<string, TypeHooks | undefined>>;
  readonly afterCommit?: AfterCommit;
}): EntryServices {
  const server = serverCaller(types);

  function contextOf(uid: string): TypeContext {
    const type = types.types[uid];
    const load = modules[uid];
    if (!type || !load) throw new Error(`this server has no content type "${uid}"`);
    const validators = async (): Promise<EntryValidators> => (await load()).validators;
    return { database, types, reader, type, validators, hooks: hooks[uid], server, afterCommit };
  }

  return {
    collection(uid) {
      const context = contextOf(uid);
      const service = collectionService(context);
      return hasHook(context.hooks, 'transform') ? flatCollection(context, service) : service;
    },
    single(uid) {
      const context = contextOf(uid);
      const service = singleService(context);
      return hasHook(context.hooks, 'transform') ? flatSingle(context, service) : service;
    },
  };
}
