/** react-admin's auth provider. Signing in is handled outside react-admin: see page.tsx. */
import type { AuthProvider } from 'react-admin';
import type { ModelIndex } from '../model/model-context.tsx';
import { may, type Session, signOut } from './session.ts';

/** react-admin action → action of the schema. Opening an entry does not require permission to change it. */
const ACTIONS: Readonly<Record<string, string>> = {
  list: 'find',
  show: 'findOne',
  edit: 'find',
  create: 'create',
  delete: 'delete',
};

export function createAuthProvider(session: Session, index: ModelIndex, onSignOut: () => void): AuthProvider {
  return {
    login: () => Promise.resolve(),
    checkAuth: () => Promise.resolve(),
    // Requests that fail because the session has ended are retried after the next sign-in: see rest/request.ts.
    checkError: () => Promise.resolve(),
    logout: async () => {
      await signOut();
      onSignOut();
      return false;
    },
    getIdentity: () => Promise.resolve({ id: session.user.id, fullName: session.user.username }),
    getPermissions: () => Promise.resolve(session.permissions),
    canAccess: ({ resource, action }) => {
      const type = index.of(resource);
      const name = ACTIONS[action] ?? action;
      return Promise.resolve(type === undefined || may(session, type.uid, name));
    },
  };
}
