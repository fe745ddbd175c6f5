/** Waits for changes, by server-sent events. */
import type { Entry } from '../../runtime/src/contract/entry.ts';
import type { Answer } from '../../runtime/src/entries/typed/selection-types.ts';
import { ApiError } from './api-error.ts';
import { PASSING, pause } from './retry.ts';
import { type Connection, openResponse } from './send.ts';
import type { UploadedFile } from './upload.ts';

/** An entry as events have it: flat, and with nothing that must be populated. */
export type ToldEntry<E extends Entry<object>> = { readonly id: number } & Answer<
  E['attributes'],
  readonly [],
  undefined,
  'flat'
>;

/** What is left of an entry that is gone. */
interface GoneEntry {
  readonly id: number;
  readonly documentId?: string;
}

interface AnyEvent {
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly documentId?: string;
  readonly locale?: string;
}

/** An event of a type. `Types`: type → its entries. */
type EntryEvent<Types, Type extends keyof Types> = Type extends keyof Types
  ? AnyEvent & { readonly model: Type; readonly uid: string } & (
        | { readonly event: 'entry.create' | 'entry.update' | 'entry.publish'; readonly entry: Types[Type] }
        | { readonly event: 'entry.delete' | 'entry.unpublish'; readonly entry: GoneEntry }
      )
  : never;

type FileEvent = AnyEvent &
  (
    | { readonly event: 'media.create' | 'media.update'; readonly media: UploadedFile }
    | { readonly event: 'media.delete'; readonly media: GoneEntry }
  );

/** Events were missed, and are not told any more: read again what you show. */
export interface ResetEvent {
  readonly event: 'reset';
}

/** Options of a subscription. */
export interface EventOptions<Type extends PropertyKey> {
  /** The types to be told of; `file` for files. By default all that the caller may find. */
  readonly types?: readonly Type[];
  /** The id or document id of the entry to be told of, if `types` names one type. */
  readonly id?: number | string;
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
}

/**
 * Iterates over changes as they happen, of entries that the caller may find. Reconnects by itself, and is then told what it has missed.
 * Throws ApiError once the server refuses: 401 if the session has ended.
 */
export interface Events<Types extends object> {
  <const Type extends keyof Types | 'file' = keyof Types | 'file'>(
    options?: EventOptions<Type>,
  ): AsyncGenerator<
    EntryEvent<Types, Extract<Type, keyof Types>> | ('file' extends Type ? FileEvent : never) | ResetEvent,
    void,
    undefined
  >;
}

/** A block of a stream: its fields by name. */
type Block = ReadonlyMap<string, string>;

/** In milliseconds; doubles with each failure. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;

function blockOf(text: string): Block {
  const fields = text.split('\n').map((line): [string, string] => {
    const end = line.indexOf(':');
    return end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1).replace(/^ /u, '')];
  });
  return new Map(fields);
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Block, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) yield blockOf(part);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Where a subscription is. */
interface Place {
  lastId: string | undefined;
  pause: number;
  failures: number;
}

/** The events of one connection, until it ends. */
async function* eventsOf(
  connection: Connection,
  query: object,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<object, void, undefined> {
  const resumed = place.lastId === undefined ? {} : { 'Last-Event-ID': place.lastId };
  const headers = { Accept: 'text/event-stream', ...resumed };
  const response = await openResponse(connection, {
    method: 'GET',
    path: '_events',
    query,
    options: { headers, signal, cache: 'no-store' },
  });
  if (!response.body) return;
  for await (const block of blocksOf(response.body)) {
    place.failures = 0;
    place.pause = Number(block.get('retry') ?? place.pause);
    const data = block.get('data');
    if (block.get('event') === 'reset') yield { event: 'reset' };
    else if (data !== undefined) yield JSON.parse(data) as object;
    // Not before the event was taken: otherwise it would be missed if it was not.
    place.lastId = block.get('id') ?? place.lastId;
  }
}

/** Whether another connection may succeed. What broke off in the middle was a connection, too. */
function mayPass(error: unknown): boolean {
  return !(error instanceof ApiError) || PASSING.includes(error.status);
}

async function* subscribe(
  connection: Connection,
  { types = [], id, signal }: EventOptions<string>,
): AsyncGenerator<object, void, undefined> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal?.addEventListener('abort', end, { once: true });
  const query = { ...(types.length > 0 && { types: types.join(',') }), ...(id !== undefined && { id }) };
  const place: Place = { lastId: undefined, pause: FIRST_PAUSE, failures: 0 };
  try {
    while (!signal?.aborted) {
      try {
        yield* eventsOf(connection, query, place, ending.signal);
      } catch (error) {
        if (signal?.aborted) return;
        if (!mayPass(error)) throw error;
        place.failures += 1;
      }
      const wait = Math.min(place.pause * 2 ** place.failures, LONGEST_PAUSE);
      await pause(wait, signal).catch(() => undefined);
    }
  } finally {
    signal?.removeEventListener('abort', end);
    ending.abort();
  }
}

/** For `connect`. */
export function events(connection: Connection): Events<object> {
  return ((options = {}) => subscribe(connection, options)) as Events<object>;
}
