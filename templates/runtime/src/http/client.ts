/** Whether the client of a request is still connected. */
import type { Socket } from 'node:net';
import type { Context } from 'koa';
import type { Client } from '../base/client.ts';
import type { CostMeter } from '../base/cost/meter.ts';
import type { ReadPoint } from '../base/read-point.ts';
import { callerName, isAnonymous } from './caller-name.ts';
import * as state from './state.ts';

type ClientContext = Pick<Context, 'req' | 'state' | 'ip'>;

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

class RequestClient implements Client {
  readonly #ctx: Context;
  readonly #socket: Socket;
  readonly reads: ReadPoint | undefined;

  constructor(ctx: Context, reads: ReadPoint | undefined) {
    this.#ctx = ctx;
    this.#socket = ctx.req.socket;
    this.reads = reads;
  }

  /** The request of a client; undefined for one that is none of HTTP. */
  static contextOf(client: Client | undefined): Context | undefined {
    return client instanceof RequestClient ? client.#ctx : undefined;
  }

  // A getter, because few requests need it.
  get caller(): string {
    return callerName(this.#ctx);
  }

  get meter(): CostMeter | undefined {
    return state.costMeter.get(this.#ctx);
  }

  get isAnonymous(): boolean {
    return isAnonymous(this.#ctx);
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
export function clientOf(ctx: ClientContext, reads?: ReadPoint): Client {
  return new RequestClient(ctx as Context, reads);
}

/** The request that a client waits for. */
export const contextOfClient = (client: Client | undefined): Context | undefined => RequestClient.contextOf(client);
