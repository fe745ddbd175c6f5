/** Users as entries, for the project's own code. */
import { lazyImport } from '../../base/lazy-import.ts';
import { NotFoundError } from '../../contract/errors.ts';
import { transformEntry, transformList } from '../../entries/hooks.ts';
import type { CollectionService } from '../../entries/service.ts';
import type { EntryKey, NamedKey } from '../../query/entry-id.ts';
import type { AuthContext } from './context.ts';

const loadUsers = lazyImport(() => import('./users-service.ts'));

function rowOf(key: EntryKey): number {
  if (typeof key === 'number') return key;
  throw new Error('own code resolves document ids before it writes');
}

export function userCollection(context: AuthContext): CollectionService {
  const { reader, userType: type, hooked } = context;
  const { hooks } = hooked;
  const users = async () => (await loadUsers()).usersService(context);
  return {
    find: async (request) => transformList(hooks, await reader.list(type, request), request),
    count: (request) => reader.count(type, request),
    async findOne(key: EntryKey | NamedKey, request) {
      const id = typeof key === 'object' && 'value' in key ? key.id : key;
      const answer = await reader.one(type, request, id);
      if (!answer) throw new NotFoundError();
      return transformEntry(hooks, answer, request);
    },
    create: async (data, request) => (await users()).create(data, request),
    async createMany(all, request) {
      const ids: number[] = [];
      for (const data of all) ids.push(((await (await users()).create(data, request)).entry() as { id: number }).id);
      return ids;
    },
    update: async (key, data, request) => (await users()).update(rowOf(key), data, request),
    delete: async (key, request) => (await users()).remove(rowOf(key), request),
    createLocalization: () => Promise.reject(new NotFoundError()),
  };
}
