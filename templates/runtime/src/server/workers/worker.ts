/** The worker's end of the connection to its supervisor, which also relays messages between workers. */
import type { Siblings } from '../../base/siblings.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** What a worker tells its supervisor, and receives from it. */
export interface Supervised {
  readonly siblings: Siblings;
  /** Tells the supervisor that this worker listens. */
  listening(address: { readonly host: string; readonly port: number }): void;
  /** Adds a listener that is called when the whole server stops. */
  onStop(stop: () => void): void;
  /** Sets the function that returns the metrics of this process. */
  onCollect(collect: () => Promise<unknown>): void;
  /** The metrics of all workers, as text. */
  collectAll(): Promise<string>;
}

function send(message: FromWorker): void {
  // Messages may be lost while the supervisor is exiting: this process then exits too.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Connects this worker to its supervisor. Must be called only once. */
export function superviseWorker(): Supervised {
  const listeners = new Map<string, ((message: unknown, from: number) => void)[]>();
  const whenEnded: ((worker: number) => void)[] = [];
  const whenStopped: (() => void)[] = [];
  const gathering = new Map<number, (text: string) => void>();
  let gathered = 0;
  let collect = (): Promise<unknown> => Promise.resolve([]);
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'collect') {
      const { id } = message;
      void collect().then((metrics) => send({ kind: 'collected', id, metrics }));
    }
    if (message.kind === 'gathered') {
      gathering.get(message.id)?.(message.text);
      gathering.delete(message.id);
    }
    if (message.kind === 'stop') for (const stop of whenStopped) stop();
    if (message.kind === 'ended') for (const listener of whenEnded) listener(message.worker);
    if (message.kind !== 'published') return;
    for (const listener of listeners.get(message.topic) ?? []) listener(message.message, message.from);
  });
  return {
    siblings: {
      publish: (topic, message) => send({ kind: 'publish', topic, message }),
      subscribe: (topic, listener) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
      onEnded: (listener) => void whenEnded.push(listener),
    },
    listening: ({ host, port }) => send({ kind: 'listening', host, port }),
    onStop: (stop) => void whenStopped.push(stop),
    onCollect: (own) => void (collect = own),
    collectAll() {
      gathered += 1;
      const id = gathered;
      send({ kind: 'gather', id });
      return new Promise((resolve) => gathering.set(id, resolve));
    },
  };
}
