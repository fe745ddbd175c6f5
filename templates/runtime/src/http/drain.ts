/**
 * Stops a server without failing a request: whoever chooses among servers is told to leave first, then connections end as their
 * answers are sent, and only what is left after that is cut off.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds. */
export interface StopSettings {
  /** How long the server still accepts connections once `/_ready` answers 503. */
  readonly drainDelay: number;
  /** After that: how long running requests may take to finish. */
  readonly stopTimeout: number;
}

export interface Drain {
  /** Whether the server is about to stop, so that new requests should go elsewhere. */
  isDraining(): boolean;
  /** Call with each request before it is handled. */
  track(request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no connection is left, after the delay and the timeout at most. */
  stop(): Promise<void>;
}

/** Has a connection end with this response, where its head is not sent yet. */
function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/** Ends what is idle now, and the rest as it becomes idle. */
function endConnections(http: Server, latest: ReadonlyMap<Socket, ServerResponse | undefined>): void {
  http.closeIdleConnections();
  for (const [socket, response] of latest) {
    // Node takes a connection on which nothing has arrived yet for a busy one.
    if (response === undefined) {
      if (socket.bytesRead === 0) socket.destroySoon();
    } else if (!response.writableFinished) {
      // Of a response whose head was sent before the drain, the client expects that the connection is kept.
      response.once('close', () => socket.destroySoon());
    }
  }
}

/** Follows the connections of a server from here on. */
export function createDrain(http: Server, { drainDelay, stopTimeout }: StopSettings): Drain {
  /** Of each connection: the response to the last request that has arrived on it. */
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
        // Pipelined requests are answered in order: only the last answer may end the connection.
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
