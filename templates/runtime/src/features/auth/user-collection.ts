/** Users as entries, for the project's own code. */
import { lazyImport } from '../../base/lazy-import.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { collectionReads, resolvedRow } from '../../entries/collection-reads.ts';
import { NO_HISTORY } from '../../entries/history/load-history.ts';
import type { CollectionService } from '../../entries/service.ts';
import type { AuthContext } from './context.ts';

const loadUsers = lazyImport(() => import('./users-service.ts'));

export function userCollection(context: AuthContext): CollectionService {
  const users = async () => (await loadUsers()).usersService(context);
  return {
    ...collectionReads(context.hooked),
    create: async (data, request) => (await users()).create(data, request),
    createMany: async (all, request) => (await users()).createMany(all, request),
    update: async (key, data, request) => (await users()).update(resolvedRow(key), data, request),
    delete: async (key, request) => (await users()).remove(resolvedRow(key), request),
    act: () => Promise.reject(new NotFoundError()),
    createLocalization: () => Promise.reject(new NotFoundError()),
    history: NO_HISTORY,
  };
}
