/** The history of types whose versions are kept, loaded on first use; others have none. */
import { lazyImport } from '../../base/lazy-import.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { type EntryKey, isEntryId } from '../../query/entry-id.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import type { HookedType, TypeContext } from '../context.ts';
import type { ActionTarget } from '../publication-actions.ts';
import { asOfTime, refuseAsOf } from './as-of-time.ts';
import type { CollectionHistory, SingleHistory } from './history-types.ts';

const load = lazyImport(() => import('./history-service.ts').catch(explainMissingModule('history')));

const loadReads = lazyImport(() => import('./read-as-of.ts').catch(explainMissingModule('history')));

const none = (): Promise<never> => Promise.reject(new NotFoundError());

/** Of types that keep no versions. */
export const NO_HISTORY = { list: none, version: none, restore: none };

function targetOf(key: EntryKey): ActionTarget {
  if (typeof key !== 'number') return { condition: sql`t.document_id = ${key.documentId}`, ofRow: false };
  if (!isEntryId(key)) throw new NotFoundError();
  return { condition: sql`t.id = ${key}`, ofRow: true };
}

/** Reads as of the time in the query; undefined if it is about now. Throws BadRequestError for types that keep no versions. */
export function readsAsOf(context: HookedType, request: EntryRequest) {
  const time = asOfTime(request);
  if (time === undefined) return undefined;
  const { type, validators } = context;
  if (!type.history || !validators) return refuseAsOf(type.uid);
  const typed: TypeContext = { ...context, validators };
  return {
    list: async () => (await loadReads()).listAsOf(typed, request, time),
    count: async () => (await loadReads()).countAsOf(typed, request, time),
    one: async (key: EntryKey) => (await loadReads()).entryAsOf(typed, key, request, time),
    single: async () => (await loadReads()).singleAsOf(typed, request, time),
  };
}

export function collectionHistory(context: TypeContext): CollectionHistory {
  if (!context.type.history) return NO_HISTORY;
  return {
    list: async (key, request) => (await load()).listHistory(context, targetOf(key), request),
    version: async (key, version, request) => (await load()).showVersion(context, targetOf(key), version, request),
    restore: async (key, version, request) => (await load()).restoreVersion(context, targetOf(key), version, request),
  };
}

export function singleHistory(context: TypeContext): SingleHistory {
  if (!context.type.history) return NO_HISTORY;
  const target: ActionTarget = { condition: sql`1 = 1`, ofRow: false };
  return {
    list: async (request) => (await load()).listHistory(context, target, request),
    version: async (version, request) => (await load()).showVersion(context, target, version, request),
    restore: async (version, request) => (await load()).restoreVersion(context, target, version, request),
  };
}
