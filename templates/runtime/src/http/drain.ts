/**
 * Graceful shutdown: first the readiness probe tells load balancers to leave, then connections are closed as their
 * responses are sent, and after a timeout the remaining ones are destroyed.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds. */
export interface StopSettings {
  /** How long the server continues to accept connections after `/_ready` begins to respond with 503. */
  readonly drainDelay: number;
  /** How long running requests may take to finish after that. */
  readonly stopTimeout: number;
}

export interface Drain {
  /** Whether the server is shutting down, so that new requests should go elsewhere. */
  isDraining(): boolean;
  /** Call with each request before it is handled. */
  track(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no connection is left, after the delay and the timeout at most. */
  stop(): Promise<void>;
}

/** Closes the connection after this response, if its headers are not sent yet. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Closes idle connections now, and the others as they become idle. */
function endConnections(http: Server, latest: ReadonlyMap<Socket, ServerResponse | undefined>): void {
  http.closeIdleConnections();
  for (const [socket, response] of latest) {
    // Node does not count a connection as idle before its first request.
    if (response === undefined) {
      if (socket.bytesRead === 0) socket.destroySoon();
    } else if (!response.writableFinished) {
      // The headers were sent before the drain, and promised keep-alive.
      response.once('close', () => socket.destroySoon());
    }
  }
}

/** Tracks the connections of a server from now on. */
export function createDrain(http: Server, { drainDelay, stopTimeout }: StopSettings): Drain {
  /** The response to the latest request of each connection. */
  const latest = new Map<Socket, ServerResponse | undefined>();
  let draining = false;
  http.on('connection', (socket: Socket) => {
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });

  const finish = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => http.closeAllConnections(), stopTimeout);
      http.close(() => {
        clearTimeout(timer);
        resolve();
      });
      endConnections(http, latest);
    });

  return {
    isDraining: () => draining,
    track(request, response) {
      const { socket } = request;
      if (draining) {
        // Pipelined requests are answered in order: only the last response may close the connection.
        const earlier = latest.get(socket);
        if (earlier && !earlier.headersSent) earlier.removeHeader('Connection');
        closeAfter(response);
      }
      latest.set(socket, response);
    },
    async stop() {
      draining = true;
      if (!http.listening) return;
      for (const response of latest.values()) if (response) closeAfter(response);
      if (drainDelay > 0) await sleep(drainDelay);
      await finish();
    },
  };
}
