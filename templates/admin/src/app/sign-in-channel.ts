/** Notifies other tabs about sign-ins: all tabs share the session cookie. */
import type { AdminSession } from '../../../runtime/src/contract/admin.ts';

type User = AdminSession['user'];

const channel = new BroadcastChannel('content-gen.session');

export function announceSignIn(user: User): void {
  channel.postMessage(user);
}

/** Calls `handler` when a user signs in in another tab. Returns a function that unsubscribes it. */
export function onSignInElsewhere(handler: (user: User) => void): () => void {
  const listener = ({ data }: MessageEvent<User>): void => handler(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
