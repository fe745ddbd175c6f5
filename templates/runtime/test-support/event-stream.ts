/** A client of `/api/_events` that keeps what it is told. */
import { vi } from 'vitest';

export interface EventStream {
  readonly status: number;
  /** The events: `{ event, …data }`. */
  readonly told: any[];
  /** The id of the last one, for `Last-Event-ID`. */
  lastId(): string;
  /** Whether the server has ended the stream. */
  isEnded(): boolean;
  /** Resolves once so many events were told; with what they are. */
  count(count: number): Promise<readonly any[]>;
  close(): void;
}

/** Resolves once the stream is open, or refused. */
export async function listen(
  origin: string,
  query = '',
  { token, lastId }: { readonly token?: string | undefined; readonly lastId?: string } = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(lastId !== undefined && { 'last-event-id': lastId }),
  };
  const response = await fetch(`${origin}/api/_events${query}`, { headers, signal: abort.signal });
  const told: any[] = [];
  let last = '';
  let isEnded = false;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const fields = new Map(
          block.split('\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
        );
        last = fields.get('id') ?? last;
        if (fields.has('data')) told.push({ ...JSON.parse(fields.get('data')!), event: fields.get('event') });
      }
    }
  };
  const reading = response.ok ? read().catch(() => undefined) : response.text().then(() => undefined);
  void reading.then(() => void (isEnded = true));
  const stream: EventStream = {
    status: response.status,
    told,
    lastId: () => last,
    isEnded: () => isEnded,
    async count(count) {
      await vi.waitFor(
        () => {
          if (told.length < count) throw new Error(`told ${told.length} of ${count}: ${JSON.stringify(told)}`);
        },
        { timeout: 5000, interval: 10 },
      );
      return told;
    },
    close: () => abort.abort(),
  };
  const isBegun = () => {
    if (last === '') throw new Error('the stream has not begun');
  };
  if (response.ok) await vi.waitFor(isBegun);
  return stream;
}
