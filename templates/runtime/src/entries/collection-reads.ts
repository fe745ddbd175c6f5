/** The reads of a collection, of the schema or built-in. */
import { NotFoundError } from '../contract/errors.ts';
import type { EntryKey } from '../query/entry-id.ts';
import type { HookedType } from './context.ts';
import { findNamed } from './find-named.ts';
import { readsAsOf } from './history/load-history.ts';
import { narrowedToPermitted } from './rules/permitted-entries.ts';
import { transformEntry, transformList, withoutTagsIfTransformed } from './hooks.ts';
import type { CollectionService } from './service.ts';

export function collectionReads(context: HookedType): Pick<CollectionService, 'find' | 'count' | 'findOne'> {
  const { reader, type, hooks } = context;
  return {
    async find(request) {
      const coming = context.inRelease?.(context, request);
      if (coming) return coming.list((inside, own) => collectionReads(inside).find(own));
      const former = readsAsOf(context, request);
      if (former) return former.list();
      const narrowed = await narrowedToPermitted(context, withoutTagsIfTransformed(hooks, request));
      return transformList(hooks, await reader.list(type, narrowed), narrowed);
    },
    async count(request) {
      const coming = context.inRelease?.(context, request);
      if (coming) return coming.count((inside, own) => collectionReads(inside).count(own));
      return readsAsOf(context, request)?.count() ?? reader.count(type, request);
    },
    async findOne(key, request) {
      const coming = context.inRelease?.(context, request);
      if (coming) return coming.entry((inside, own) => collectionReads(inside).findOne(key, own));
      const former = readsAsOf(context, request);
      if (former) return former.one(typeof key === 'object' && 'value' in key ? key.id : key);
      const untagged = withoutTagsIfTransformed(hooks, request);
      const isNamed = typeof key === 'object' && 'value' in key;
      const answer = isNamed ? await findNamed(context, key, untagged) : await reader.one(type, untagged, key);
      if (answer === undefined) throw new NotFoundError();
      return transformEntry(hooks, answer, request);
    },
  };
}

/** The row of a built-in type, of which document ids are resolved before. */
export function resolvedRow(key: EntryKey): number {
  if (typeof key === 'number') return key;
  throw new Error('document ids are resolved before the write');
}
