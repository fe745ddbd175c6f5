/**
 * Graceful shutdown: first the readiness probe tells load balancers to leave, then connections are closed as their
 * responses are sent, and after a timeout the remaining ones are destroyed.
 */
import cluster from 'node:cluster';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long a new connection has to send its request once the server has stopped listening, in milliseconds. */
const FIRST_BYTE_TIMEOUT = 1000;
/** How long waiting connections are accepted after that, in milliseconds, if there are ever more. */
const ACCEPT_TIMEOUT = 1000;
/** How long a turn of the event loop takes in which nothing else happens, in milliseconds: in a longer one, connections may arrive. */
const QUIET_TURN = 0.3;
/** How soon a worker gets a connection that its supervisor has accepted, in milliseconds. */
const HANDOFF_TIME = 20;

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
function endConnections(latest: ReadonlyMap<Socket, ServerResponse | undefined>): void {
  for (const [socket, response] of latest) {
    if (response === undefined) {
      // Its request may be on the way.
      setTimeout(() => {
        if (latest.get(socket) === undefined && socket.bytesRead === 0) socket.destroySoon();
      }, FIRST_BYTE_TIMEOUT).unref();
    } else if (response.writableFinished && response.req.complete) {
      socket.destroySoon();
    } else {
      // Its headers may have been sent before the drain, and have promised keep-alive.
      response.once('close', () => socket.destroySoon());
    }
  }
}

/**
 * Closes the port. Not by `http.close()`, which also closes connections whose response has been handed over, but is still being sent
 * to a slow client.
 */
async function stopListening(http: Server, accepted: () => number, whenClosed: () => void): Promise<void> {
  // Each turn of the event loop accepts one of the connections that wait in the queue of the system. Closing the port resets the others.
  const deadline = performance.now() + ACCEPT_TIMEOUT;
  // What remains of the present turn accepts none.
  await nextTurn();
  const isQuiet = async (): Promise<boolean> => {
    const before = accepted();
    if (cluster.isWorker) await sleep(HANDOFF_TIME);
    const began = performance.now();
    await nextTurn();
    return accepted() === before && performance.now() - began < QUIET_TURN;
  };
  while (!(await isQuiet()) && performance.now() < deadline);
  NetServer.prototype.close.call(http, whenClosed);
}

/** Tracks the connections of a server from now on. */
export function createDrain(http: Server, { drainDelay, stopTimeout }: StopSettings): Drain {
  /** The response to the latest request of each connection. */
  const latest = new Map<Socket, ServerResponse | undefined>();
  let draining = false;
  let accepted = 0;
  http.on('connection', (socket: Socket) => {
    accepted += 1;
    latest.set(socket, undefined);
    socket.once('close', () => latest.delete(socket));
  });

  const finish = async (): Promise<void> => {
    const timer = setTimeout(() => http.closeAllConnections(), stopTimeout);
    await new Promise<void>((resolve) => {
      void stopListening(http, () => accepted, resolve).then(() => endConnections(latest));
    });
    clearTimeout(timer);
  };

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
