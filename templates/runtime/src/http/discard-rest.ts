/** What is done with the rest of a body that is refused before it has arrived. */
import type { IncomingMessage } from 'node:http';

/** How long the rest is read, so that the client gets to read the answer. */
const DISCARD_MS = 10_000;

/** Reads on without keeping anything, and not for ever: a client that is still sending would not see the answer. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
