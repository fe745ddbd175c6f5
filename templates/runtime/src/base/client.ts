/** Whether the client of a request is still connected. */
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { ReadPoint } from './read-point.ts';

/** The connection of a request. */
export interface Client {
  /** Whether the connection is closed, so that no response can be delivered. */
  readonly gone: boolean;
  /**
   * Calls `callback` once when the connection closes, at once if it is closed already; returns a function that
   * unsubscribes. Unsubscribe when the work is done: a connection lives longer than a request.
   */
  onGone(callback: () => void): () => void;
  /** Set for requests that only read, if they may read from a replica of the database. */
  readonly reads?: ReadPoint | undefined;
}

type Callbacks = Set<() => void>;

/** One listener per connection, however many requests it pipelines. */
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

class SocketClient implements Client {
  readonly #socket: Socket;
  readonly reads: ReadPoint | undefined;

  constructor(socket: Socket, reads: ReadPoint | undefined) {
    this.#socket = socket;
    this.reads = reads;
  }

  get gone(): boolean {
    return this.#socket.destroyed;
  }

  onGone(callback: () => void): () => void {
    if (this.gone) {
      callback();
      return () => undefined;
    }
    const callbacks = callbacksOf(this.#socket);
    // A function of its own, so that registering one callback twice calls it twice.
    const own = () => callback();
    callbacks.add(own);
    return () => void callbacks.delete(own);
  }
}

/**
 * The client of a request. Lazy: nothing is subscribed until `onGone` is called. Watches the socket, not the response:
 * a pipelined response that is still queued gets no `close` event.
 */
export function clientOf({ req: { socket } }: Pick<Context, 'req'>, reads?: ReadPoint): Client {
  return new SocketClient(socket, reads);
}
