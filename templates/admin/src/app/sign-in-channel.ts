/** Notifies other tabs about sign-ins: all tabs share the session cookie. */
import type { SessionUser } from './session.ts';

const channel = new BroadcastChannel('content-gen.session');

export function announceSignIn(user: SessionUser): void {
  channel.postMessage(user);
}

/** Calls `handler` when a user signs in in another tab. Returns a function that unsubscribes it. */
export function onSignInElsewhere(handler: (user: SessionUser) => void): () => void {
  const listener = ({ data }: MessageEvent<SessionUser>): void => handler(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
