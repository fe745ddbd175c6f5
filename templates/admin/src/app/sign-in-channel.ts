/** Tells the other tabs who has signed in: they share the cookie of the session. */
import type { SessionUser } from './session.ts';

const channel = new BroadcastChannel('content-gen.session');

export function tellSignIn(user: SessionUser): void {
  channel.postMessage(user);
}

/** Calls `handler` when somebody has signed in in another tab. Returns a function that stops this. */
export function whenSignedIn(handler: (user: SessionUser) => void): () => void {
  const listener = ({ data }: MessageEvent<SessionUser>): void => handler(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
