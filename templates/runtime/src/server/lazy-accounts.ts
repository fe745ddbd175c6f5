/** Sessions and roles of the feature that has accounts, which is started after the entries are opened. */
import type { OwnRoles } from '../entries/own-roles.ts';
import type { OwnSessions } from '../entries/own-sessions.ts';
import type { RunningFeature } from '../http/feature.ts';
import type { StartedFeature } from './features.ts';

/** Resolves to what the feature has that offers it. Rejects if none does. */
async function offered<T>(
  features: readonly StartedFeature[],
  offer: (running: RunningFeature) => Promise<T> | undefined,
): Promise<T> {
  for (const { running } of features) {
    const found = offer(running);
    if (found) return found;
  }
  throw new Error('this server has no accounts');
}

export function lazyAccounts(features: () => readonly StartedFeature[]): {
  readonly sessions: OwnSessions;
  readonly roles: OwnRoles;
} {
  const sessions = () => offered(features(), (running) => running.ownSessions?.());
  const roles = () => offered(features(), (running) => running.ownRoles?.());
  return {
    sessions: {
      start: async (userId) => (await sessions()).start(userId),
      refresh: async (jwt) => (await sessions()).refresh(jwt),
      end: async (userId) => (await sessions()).end(userId),
    },
    roles: {
      find: async () => (await roles()).find(),
      findOne: async (id) => (await roles()).findOne(id),
      create: async (data) => (await roles()).create(data),
      update: async (id, data) => (await roles()).update(id, data),
      delete: async (id) => (await roles()).delete(id),
    },
  };
}
