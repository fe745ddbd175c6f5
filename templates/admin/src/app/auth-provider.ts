/** React-admin's questions about who is signed in. Signing in itself is the page's: see page.tsx. */
import type { AuthProvider } from 'react-admin';
import type { ModelIndex } from '../model/model-context.tsx';
import { may, type Session, signOut } from './session.ts';

/** React-admin's word for what is done → the schema's. To open an entry needs no right to change it. */
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
    // What ends a session is asked again after a sign-in: see rest/request.ts.
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
