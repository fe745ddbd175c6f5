/** The entry services of all types of a server. */
import { onceForEach } from '../base/once-for-each.ts';
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import { collectionService } from './collection-service.ts';
import type { HookedType, TypeContext } from './context.ts';
import { flatCollection, flatSingle } from './documents/flat-answers.ts';
import { hasHook } from './hooks.ts';
import type { CollectionService, SingleService } from './service.ts';
import { singleService } from './single-service.ts';

export interface EntryServices {
  /** Throws for a uid that is not a collection type of this server, which is a defect. */
  collection(uid: string): CollectionService;
  single(uid: string): SingleService;
}

export interface EntryDefinition {
  readonly contentTypes: ContentTypes;
  readonly api: Pick<ApiSettings, 'unknownAttributes'>;
  /** Undefined if the schema has no rules. */
  readonly rules?: object;
}

/** Services keep no state: that of each type is made once. */
export function createEntryServices(types: ContentTypes, hooked: (type: ContentType) => HookedType): EntryServices {
  function contextOf(uid: string): TypeContext {
    const type = types.types[uid];
    const { validators, ...context } = (type && hooked(type)) ?? {};
    if (!validators) throw new Error(`this server has no content type "${uid}"`);
    return { ...(context as HookedType), validators };
  }

  return {
    collection: onceForEach((uid) => {
      const context = contextOf(uid);
      const service = collectionService(context);
      return hasHook(context.hooks, 'transform') ? flatCollection(context, service) : service;
    }),
    single: onceForEach((uid) => {
      const context = contextOf(uid);
      const service = singleService(context);
      return hasHook(context.hooks, 'transform') ? flatSingle(context, service) : service;
    }),
  };
}
