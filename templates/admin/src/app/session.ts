/** The session of the signed-in user: `/api/admin/session`. */
import { createContext, useContext } from 'react';
import type { AdminSignIn, AdminSession as Session } from '../../../runtime/src/contract/admin.ts';
import { ask } from '../rest/request.ts';
import { announceSignIn } from './sign-in-channel.ts';

export type { Session };

const PATH = 'admin/session';

export async function readSession(): Promise<Session> {
  return await ask<Session>({ path: PATH });
}

export async function signIn(identifier: string, password: string): Promise<Session> {
  const session = await ask<Session>({ method: 'POST', path: PATH, body: { identifier, password } });
  announceSignIn(session.user);
  return session;
}

/** Creates the first account. Throws HttpError if the link is no longer valid. */
export async function createFirstUser(token: string, email: string, password: string): Promise<Session> {
  const session = await ask<Session>({ method: 'POST', path: 'admin/first-user', body: { token, email, password } });
  announceSignIn(session.user);
  return session;
}

export async function signOut(): Promise<void> {
  await ask({ method: 'DELETE', path: PATH });
}

/** Ends all sessions of the user, on every device. */
export async function signOutEverywhere(): Promise<void> {
  await ask({ method: 'POST', path: 'auth/end-sessions', body: { all: true } });
}

interface NewPassword {
  readonly password: string;
  readonly passwordConfirmation: string;
}

/** What the sign-in offers. */
export async function readSignInOptions(): Promise<AdminSignIn> {
  return await ask<AdminSignIn>({ path: 'admin/sign-in' });
}

/** Mails a code for a new password, if there is an account with this address. */
export async function forgotPassword(email: string): Promise<void> {
  await ask({ method: 'POST', path: 'auth/forgot-password', body: { email }, isUnlisted: true });
}

/** Sets a new password with a code, and returns the email address of its user. */
export async function resetPassword(code: string, passwords: NewPassword): Promise<string> {
  const body = { code, ...passwords };
  const { user } = await ask<Pick<Session, 'user'>>({
    method: 'POST',
    path: 'auth/reset-password',
    body,
    isUnlisted: true,
  });
  return user.email;
}

/** Changes the own password, which ends all other sessions. */
export async function changePassword(currentPassword: string, passwords: NewPassword): Promise<void> {
  const body = { currentPassword, ...passwords };
  await ask({ method: 'POST', path: 'auth/change-password', body, isUnlisted: true });
}

/** Whether the role has a permission, such as `may(session, 'article', 'update')`. The schema calls the user type `users`. */
export function may({ permissions }: Pick<Session, 'permissions'>, uid: string, action: string): boolean {
  if (uid === 'user') return may({ permissions }, 'users', action === 'delete' ? 'destroy' : action);
  return permissions[uid]?.includes(action) === true;
}

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is called outside of a session');
  return session;
}

/** Returns a function that checks a permission of the current role. */
export function useMay(): (uid: string, action: string) => boolean {
  const session = useSession();
  return (uid, action) => may(session, uid, action);
}
