/** Whether somebody still waits for the answer to a request. */
import type { Socket } from 'node:net';
import type { Context } from 'koa';

/** Who sent a request, as far as its connection tells. */
export interface Client {
  /** Whether the connection is closed, so that nobody can get the answer. */
  readonly gone: boolean;
  /**
   * Calls `callback` once when the connection closes, at once if it is closed already; returns a function that unsubscribes.
   * Unsubscribe when the work is done: a connection lives longer than a request.
   */
  onGone(callback: () => void): () => void;
}

type Callbacks = Set<() => void>;

/** One listener a connection, however many requests it pipelines. */
const subscribed = new WeakMap<Socket, Callbacks>();

function callbacksOf(socket: Socket): Callbacks {
  const known = subscribed.get(socket);
  if (known) return known;
  const callbacks: Callbacks = new Set();
  subscribed.set(socket, callbacks);
  socket.once('close', () => {
    for (const callback of callbacks) callback();
    callbacks.clear();
  });
  return callbacks;
}

/**
 * The client of a request. Cheap: nothing listens until `onGone` is called. The connection is asked rather than the response, as
 * a pipelined response that has no turn yet never hears of a connection that closes.
 */
export function clientOf({ req: { socket } }: Pick<Context, 'req'>): Client {
  return {
    get gone() {
      return socket.destroyed;
    },
    onGone(callback) {
      if (socket.destroyed) {
        callback();
        return () => undefined;
      }
      const callbacks = callbacksOf(socket);
      // Its own, so that one callback that is given twice counts twice.
      const own = () => callback();
      callbacks.add(own);
      return () => void callbacks.delete(own);
    },
  };
}
