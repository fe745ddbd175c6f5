/** The state of users that authentication depends on; cached for a second. */
import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database.ts';
import { type Account, accountById } from './accounts.ts';

type UserState = Pick<Account, 'id' | 'blocked' | 'confirmed' | 'tokenGeneration' | 'keptSession' | 'roleId'>;

export interface UserStates {
  /** Undefined if there is no such user. */
  get(id: number): Promise<UserState | undefined>;
  /** Call after this instance changed the user. */
  forget(id: number): void;
  /** Call after this instance changed many users. */
  forgetAll(): void;
}

/** How long a result is cached, in milliseconds. */
const FRESH = 1000;
const MAX_USERS = 10_000;

export function createUserStates(database: Database): UserStates {
  const known = new LRUCache<number, { readonly state: UserState | undefined }>({ max: MAX_USERS, ttl: FRESH });
  return {
    async get(id) {
      const cached = known.get(id);
      if (cached) return cached.state;
      const readAt = performance.now();
      const account = await accountById(database, id);
      // Only the needed columns: password hashes must not stay in memory.
      const state: UserState | undefined = account && {
        id,
        blocked: account.blocked,
        confirmed: account.confirmed,
        tokenGeneration: account.tokenGeneration,
        keptSession: account.keptSession,
        roleId: account.roleId,
      };
      known.set(id, { state }, { start: readAt });
      return state;
    },
    forget: (id) => void known.delete(id),
    forgetAll: () => known.clear(),
  };
}
