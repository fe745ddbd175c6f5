/**
 * What clients do not take of their answers is kept in memory: this bounds for how long, and how much of it there is at once,
 * whatever the answer is made of (JSON, a file).
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from './log.ts';

export interface SendSettings {
  /** How long a connection may take nothing of an answer, in milliseconds. */
  readonly timeout: number;
  /** Of all answers together that wait to be sent: bytes. */
  readonly bufferSize: number;
}

export interface SendWatch {
  /** Call when an answer is complete, or is being piped. */
  watch(response: ServerResponse): void;
  /**
   * Whether a request must wait for a turn of the event loop (`setImmediate`) because the memory of connections that were ended is
   * not free yet: several requests are read in one turn, and connections are closed at its end.
   */
  isFreeing(): boolean;
}

/** An answer that its client has not taken yet. */
interface Sending {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly since: number;
  /** Bytes that the client had taken on this connection before. */
  readonly takenBefore: number;
  /** Bytes that wait in memory. */
  pending: number;
  /** What the client had taken at `movedAt`. */
  taken: number;
  /** When the client took something last, or there was nothing to take. */
  movedAt: number;
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes. A client that takes a byte now and then keeps the memory, too. */
const LEAST_PROGRESS = 1024;

/** How often stalled connections are looked for, in milliseconds; more often where the timeout is shorter. */
const INTERVAL = 1000;

/**
 * Bytes that a client has taken: of a large write, the public counters move only when all of it is through, hence the handle, by
 * which Node itself tells whether a write goes on.
 */
function takenBy(socket: Socket): number {
  const handle = (socket as { readonly _handle?: Partial<Handle> | null })._handle;
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined) {
    return socket.bytesWritten - socket.writableLength;
  }
  return handle.bytesWritten - handle.writeQueueSize;
}

/** Bytes a millisecond. */
function rateOf({ socket, takenBefore, since }: Sending, now: number): number {
  return (takenBy(socket) - takenBefore) / (now - since + 1);
}

function slowest(all: Iterable<Sending>, now: number): Sending | undefined {
  let found: Sending | undefined;
  let least = Infinity;
  for (const sending of all) {
    const rate = rateOf(sending, now);
    // Of two that take nothing, the one that holds more.
    if (rate < least || (rate === least && found && sending.pending > found.pending)) {
      found = sending;
      least = rate;
    }
  }
  return found;
}

/** A watch over the answers of a server. Answers that the network takes at once cost it nothing. */
export function watchSending({ timeout, bufferSize }: SendSettings, logger: Pick<Logger, 'info' | 'warn'>): SendWatch {
  const watched = new Map<ServerResponse, Sending>();
  let total = 0;
  /** Of connections that are ended and not closed yet. */
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
        'more answers wait for slow clients than SEND_BUFFER_SIZE allows: ended the slowest',
      );
    }
  };

  const look = (): void => {
    const now = performance.now();
    for (const sending of watched.values()) {
      // A pipelined response that has no turn yet never hears of a connection that closes.
      if (sending.socket.destroyed) {
        forget(sending.response);
        continue;
      }
      measure(sending, now);
      if (now - sending.movedAt < timeout) continue;
      logger.info({ timeout }, 'a client has taken nothing of its answer for CLIENT_TIMEOUT: ended the connection');
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
