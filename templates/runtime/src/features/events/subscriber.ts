/** A client that waits for events, and the stream that it reads. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { counters } from '../../base/counters.ts';
import type { CallerSource } from '../../http/caller-source.ts';
import type { LoggedEvent } from './event-rows.ts';

/** Which events a client has asked for. */
export interface Interest {
  /** The uids of types. */
  readonly types: ReadonlySet<string>;
  /** The entry, by its id or its document id. */
  readonly entry: string | undefined;
}

export interface Subscriber {
  readonly source: CallerSource;
  readonly interest: Interest;
  readonly stream: Readable;
  /** The position up to which everything was told. */
  position: number;
  /** The bytes that wait for the client to read them. */
  waiting(): number;
  send(text: string): void;
  end(): void;
}

/** A client that leaves more bytes unread is ended: it resumes with `Last-Event-ID`. */
export const MOST_WAITING = 64 * 1024;

export function isInterested({ types, entry }: Interest, { type, entryId, documentId }: LoggedEvent): boolean {
  return types.has(type) && (entry === undefined || entry === String(entryId) || entry === documentId);
}

export function createSubscriber(
  response: ServerResponse,
  { source, interest, position }: Pick<Subscriber, 'source' | 'interest' | 'position'>,
): Subscriber {
  // What is pushed is taken by the response, and waits there or here.
  const stream = new Readable({ read: () => undefined, highWaterMark: 1024 });
  const waiting = (): number => stream.readableLength + response.writableLength;
  return {
    source,
    interest,
    stream,
    position,
    waiting,
    send(text) {
      if (stream.destroyed) return;
      if (waiting() <= MOST_WAITING) {
        stream.push(text);
        return;
      }
      if (!response.destroyed) counters.eventClientsCut += 1;
      response.destroy();
    },
    end() {
      if (!stream.destroyed) stream.push(null);
    },
  };
}
