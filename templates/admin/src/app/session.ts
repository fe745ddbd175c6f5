/** Who is signed in: `/api/admin/session`. */
import { createContext, useContext } from 'react';
import { ask } from '../rest/request.ts';

export interface Session {
  readonly user: { readonly id: number; readonly username: string; readonly email: string };
  readonly role: { readonly name: string; readonly type: string };
  /** By the uid of a type, or what the schema calls an endpoint: the actions. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  /** The first is the default. */
  readonly locales: readonly string[];
}

const PATH = 'admin/session';

export async function readSession(): Promise<Session> {
  return await ask<Session>({ path: PATH });
}

export async function signIn(identifier: string, password: string): Promise<Session> {
  return await ask<Session>({ method: 'POST', path: PATH, body: { identifier, password } });
}

/** Makes the first account. Throws HttpError where the link is no longer good. */
export async function makeFirstUser(token: string, email: string, password: string): Promise<Session> {
  return await ask<Session>({ method: 'POST', path: 'admin/first-user', body: { token, email, password } });
}

export async function signOut(): Promise<void> {
  await ask({ method: 'DELETE', path: PATH });
}

/** Whether the role may do something, such as `may(session, 'article', 'update')`. The schema calls the type of users `users`. */
export function may({ permissions }: Pick<Session, 'permissions'>, uid: string, action: string): boolean {
  if (uid === 'user') return may({ permissions }, 'users', action === 'delete' ? 'destroy' : action);
  return permissions[uid]?.includes(action) === true;
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Nobody is signed in here');
  return session;
}

/** Whether the role may do something with entries of a type. */
export function useMay(): (uid: string, action: string) => boolean {
  const session = useSession();
  return (uid, action) => may(session, uid, action);
}
