/** Limits how many bytes of one caller may be in flight: in one request, and in all concurrent ones together. */
import { NO_SIBLINGS, type Siblings, type WorkerIndex } from '../../base/siblings.ts';
import { tooManyRequests } from '../../base/too-many-requests.ts';
import { HttpError } from '../../contract/errors.ts';

/** The part of a caller's quota that one request uses. */
export interface Share {
  /** Throws HttpError if the quota is exceeded: 413 if this request alone is too large, else 429. */
  take(bytes: number): void;
  /** Returns everything that was taken. */
  release(): void;
}

/** Creates the share of a request; `caller` identifies the caller across requests. */
export type Shares = (caller: string) => Share;

/** In milliseconds: by then, another upload may have ended. */
const RETRY_AFTER = 5000;

function refusal(own: number, maxTotal: number): HttpError {
  if (own > maxTotal) {
    return new HttpError(413, 'PayloadTooLargeError', `The files of the request exceed ${maxTotal} bytes in total`);
  }
  const message = `The files that you are sending in several requests exceed ${maxTotal} bytes in total`;
  return tooManyRequests(RETRY_AFTER, message);
}

const TOPIC = 'arriving bytes';
/** Workers announce a caller's bytes in steps of this size, so what one knows of another may be behind by as much. */
const TOLD_EVERY = 1024 * 1024;

interface Told {
  readonly caller: string;
  readonly bytes: number;
}

/** Exchanges with the other workers how many bytes of each caller are in flight. */
function createExchange(siblings: Siblings) {
  const elsewhere = new Map<string, Map<WorkerIndex, number>>();
  const told = new Map<string, number>();
  const note = (caller: string, worker: WorkerIndex, bytes: number): void => {
    const known = elsewhere.get(caller) ?? new Map<WorkerIndex, number>();
    if (bytes > 0) known.set(worker, bytes);
    else known.delete(worker);
    if (known.size > 0) elsewhere.set(caller, known);
    else elsewhere.delete(caller);
  };
  siblings.subscribe(TOPIC, (message, from) => {
    const { caller, bytes } = message as Told;
    note(caller, from, bytes);
  });
  siblings.onEnded((worker) => {
    for (const caller of [...elsewhere.keys()]) note(caller, worker, 0);
  });
  return {
    elsewhere: (caller: string) => [...(elsewhere.get(caller)?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    tell(caller: string, bytes: number): void {
      const before = told.get(caller) ?? 0;
      if (bytes === before || (bytes > 0 && Math.abs(bytes - before) < TOLD_EVERY)) return;
      if (bytes > 0) told.set(caller, bytes);
      else told.delete(caller);
      siblings.publish(TOPIC, { caller, bytes } satisfies Told);
    },
  };
}

/** `maxTotal`: the quota of one caller in bytes, across all workers, each of which may be up to 1 MiB behind the others. */
export function createShares(maxTotal: number, siblings: Siblings = NO_SIBLINGS): Shares {
  const taken = new Map<string, number>();
  const exchange = createExchange(siblings);
  return (caller) => {
    let own = 0;
    const change = (bytes: number): number => {
      own += bytes;
      const total = (taken.get(caller) ?? 0) + bytes;
      if (total > 0) taken.set(caller, total);
      else taken.delete(caller);
      exchange.tell(caller, total);
      return total + exchange.elsewhere(caller);
    };
    return {
      take(bytes) {
        if (change(bytes) > maxTotal) throw refusal(own, maxTotal);
      },
      release: () => void change(-own),
    };
  };
}
