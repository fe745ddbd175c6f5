/**
 * Bounds the memory of responses that clients are slow to read: how long a connection may stall, and how many bytes all
 * responses together may have buffered.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from './log.ts';

export interface SendSettings {
  /** How long a connection may stall, in milliseconds. */
  readonly timeout: number;
  /** Maximum number of buffered bytes of all responses together. */
  readonly bufferSize: number;
}

export interface SendWatch {
  /** Call when a response is complete, or is being piped. */
  watch(response: ServerResponse): void;
  /**
   * Whether a request must first yield to the event loop (`setImmediate`), since the memory of disconnected clients is not
   * free yet: several requests may be read in one turn of the loop, and sockets are closed at its end.
   */
  isFreeing(): boolean;
}

/** A response that its client has not read completely. */
interface Sending {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly since: number;
  /** Bytes that were sent on this connection before. */
  readonly takenBefore: number;
  /** Buffered bytes. */
  pending: number;
  /** Bytes that were sent by `movedAt`. */
  taken: number;
  /** Time of the last progress, or when there was nothing to send. */
  movedAt: number;
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** In bytes: a client that reads a byte now and then counts as stalled. */
const LEAST_PROGRESS = 1024;

/** Interval of the check for stalled connections, in milliseconds; shorter if the timeout is. */
const INTERVAL = 1000;

/**
 * The bytes of a connection that have left this process. The public counters of a socket change only when a large write is
 * complete, so this uses its handle, as Node's own timeout does.
 */
function takenBy(socket: Socket): number {
  const handle = (socket as { readonly _handle?: Partial<Handle> | null })._handle;
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined) {
    return socket.bytesWritten - socket.writableLength;
  }
  return handle.bytesWritten - handle.writeQueueSize;
}

/** In bytes per millisecond. */
function rateOf({ socket, takenBefore, since }: Sending, now: number): number {
  return (takenBy(socket) - takenBefore) / (now - since + 1);
}

function slowest(all: Iterable<Sending>, now: number): Sending | undefined {
  let found: Sending | undefined;
  let least = Infinity;
  for (const sending of all) {
    const rate = rateOf(sending, now);
    // Among stalled ones, the one with the most buffered bytes.
    if (rate < least || (rate === least && found && sending.pending > found.pending)) {
      found = sending;
      least = rate;
    }
  }
  return found;
}

/** Watches the responses of a server. A response that is sent at once costs nothing. */
export function watchSending({ timeout, bufferSize }: SendSettings, logger: Pick<Logger, 'info' | 'warn'>): SendWatch {
  const watched = new Map<ServerResponse, Sending>();
  let total = 0;
  /** Buffered bytes of connections that are destroyed, but not closed yet. */
  let ending = 0;
  let timer: NodeJS.Timeout | undefined;

  const forget = (response: ServerResponse): void => {
    const sending = watched.get(response);
    if (!sending) return;
    watched.delete(response);
    total -= sending.pending;
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const end = ({ response, socket, pending }: Sending): void => {
    forget(response);
    if (socket.destroyed) return;
    ending += pending;
    socket.once('close', () => void (ending -= pending));
    socket.destroy();
  };

  const measure = (sending: Sending, now: number): void => {
    const pending = sending.response.writableLength;
    const taken = takenBy(sending.socket);
    if (pending === 0 || taken - sending.taken >= LEAST_PROGRESS) {
      sending.movedAt = now;
      sending.taken = taken;
    }
    total += pending - sending.pending;
    sending.pending = pending;
  };

  const endSlowest = (): void => {
    let ended = 0;
    while (total > bufferSize && watched.size > 1) {
      const sending = slowest(watched.values(), performance.now());
      if (!sending) break;
      end(sending);
      ended += 1;
    }
    if (ended > 0) {
      logger.warn(
        { connections: ended, bufferSize },
        'responses buffered for slow clients exceed SEND_BUFFER_SIZE: closed the slowest connection',
      );
    }
  };

  const look = (): void => {
    const now = performance.now();
    for (const sending of watched.values()) {
      // A queued pipelined response gets no `close` event.
      if (sending.socket.destroyed) {
        forget(sending.response);
        continue;
      }
      measure(sending, now);
      if (now - sending.movedAt < timeout) continue;
      logger.info({ timeout }, 'a client has read none of its response for CLIENT_TIMEOUT: closed the connection');
      end(sending);
    }
    endSlowest();
  };

  const watch = (response: ServerResponse): void => {
    if ((response.writableEnded && response.writableLength === 0) || response.destroyed) return;
    const { socket } = response.req;
    const [now, taken, pending] = [performance.now(), takenBy(socket), response.writableLength];
    watched.set(response, { response, socket, since: now, takenBefore: taken, pending, taken, movedAt: now });
    total += pending;
    response.once('close', () => forget(response));
    timer ??= setInterval(look, Math.min(INTERVAL, timeout / 2)).unref();
    if (total > bufferSize) endSlowest();
  };
  return { watch, isFreeing: () => ending > 0 && total + ending > bufferSize };
}
