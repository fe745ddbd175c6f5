/** The history of types whose versions are kept, loaded on first use; others have none. */
import { lazyImport } from '../../base/lazy-import.ts';
import { explainMissingModule } from '../../base/missing-module.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { type EntryKey, isEntryId } from '../../query/entry-id.ts';
import type { TypeContext } from '../context.ts';
import type { ActionTarget } from '../publication-actions.ts';
import type { CollectionHistory, SingleHistory } from './history-types.ts';

const load = lazyImport(() => import('./history-service.ts').catch(explainMissingModule('history')));

const none = (): Promise<never> => Promise.reject(new NotFoundError());

/** Of types that keep no versions. */
export const NO_HISTORY = { list: none, version: none, restore: none };

function targetOf(key: EntryKey): ActionTarget {
  if (typeof key !== 'number') return { condition: sql`t.document_id = ${key.documentId}`, ofRow: false };
  if (!isEntryId(key)) throw new NotFoundError();
  return { condition: sql`t.id = ${key}`, ofRow: true };
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
