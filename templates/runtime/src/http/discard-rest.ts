/** Drains the rest of a rejected request body. */
import type { IncomingMessage } from 'node:http';

/** How long the body is drained, in milliseconds. */
const DISCARD_MS = 10_000;

/** Drains the body for a limited time: a client that is still sending would not read the response otherwise. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), DISCARD_MS);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
