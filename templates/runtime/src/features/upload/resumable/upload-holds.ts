/** Who writes to an unfinished upload: one request at a time, also among the processes that share the folder. */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isOfEarlierProcess, PROCESS_IDENTITY, processIdentity } from '../../../base/process-identity.ts';
import type { Siblings } from '../../../base/siblings.ts';
import { HttpError } from '../../../contract/errors.ts';
import { storageFault } from '../../../storage/storage-faults.ts';

/** A connection that was cut may look open for minutes: after so long without bytes, the next request takes over. In milliseconds. */
const IDLE_AFTER = 2000;
/** How long a request waits for another one to end, and how often it looks, in milliseconds. */
const WAIT = 1000;
const LOOK_EVERY = 25;
/** How often a lock is renewed, and when it counts as abandoned, in milliseconds: for processes of other machines. */
const RENEWED_EVERY = 10_000;
const ABANDONED_AFTER = 60_000;
/** In seconds. */
const RETRY_AFTER = 1;
const TOPIC = 'held uploads';

const IDENTITY = new RegExp(`^${PROCESS_IDENTITY.source}$`, 'u');

export interface Hold {
  /** Bytes have arrived. */
  touch(): void;
  /** From now on, nobody takes over. */
  keep(): void;
  release(): Promise<void>;
}

export interface Holds {
  /**
   * Holds an upload. `stop` ends what the holder does: it is called when another request takes over, which happens once no bytes
   * arrive; `isEnding` takes over at once. Throws HttpError 423.
   */
  take(id: string, options?: { readonly stop?: () => void; readonly isEnding?: boolean }): Promise<Hold>;
  /** Whether a request of this process writes to an upload, or stores it. */
  isHeld(id: string): boolean;
}

class Holder {
  readonly #stop: (() => void) | undefined;
  #touched = performance.now();
  #isKept = false;

  constructor(stop: (() => void) | undefined) {
    this.#stop = stop;
  }

  touch(): void {
    this.#touched = performance.now();
  }

  keep(): void {
    this.#isKept = true;
  }

  /** Gives up, if nothing arrives. */
  yield(isEnding: boolean): void {
    const isIdle = performance.now() - this.#touched >= IDLE_AFTER;
    if (!this.#isKept && (isIdle || isEnding)) this.#stop?.();
  }
}

/** Whether whoever made a lock has ended. */
async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return false;
  if (Date.now() - found.mtimeMs > ABANDONED_AFTER) return true;
  const text = await readFile(path, 'utf8').catch(() => '');
  return IDENTITY.test(text) && isOfEarlierProcess(text);
}

/** Whether the lock was free, or abandoned. Only to be called by a process that does not hold it. */
async function takeLock(path: string): Promise<boolean> {
  for (let isLast = false; ; isLast = true) {
    try {
      const handle = await open(path, 'wx', 0o640);
      try {
        await handle.writeFile(processIdentity());
      } finally {
        await handle.close();
      }
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw storageFault(error);
    }
    if (isLast || !(await isAbandoned(path))) return false;
    // Renamed first: of several processes that find it abandoned, one succeeds.
    const aside = `${path}.${randomBytes(4).toString('hex')}`;
    await rename(path, aside).catch(() => undefined);
    // Another one was faster, and this is its own lock.
    if (!(await isAbandoned(aside))) await link(aside, path).catch(() => undefined);
    await rm(aside, { force: true });
  }
}

function locked(): HttpError {
  const message = 'The upload is receiving bytes of another request, or is being stored: try again';
  return new HttpError(423, 'LockedError', message, {}, { 'Retry-After': String(RETRY_AFTER) });
}

export function createHolds(directory: string, siblings: Siblings): Holds {
  const held = new Map<string, Holder>();
  siblings.subscribe(TOPIC, (message) => {
    const { id, isEnding } = message as { readonly id: string; readonly isEnding: boolean };
    held.get(id)?.yield(isEnding);
  });

  async function tryToTake(id: string, stop: (() => void) | undefined): Promise<Hold | undefined> {
    const path = join(directory, `${id}.lock`);
    const holder = new Holder(stop);
    // Before the file: a lock of this process without a holder counts as that of an earlier process.
    held.set(id, holder);
    let isTaken = false;
    try {
      isTaken = await takeLock(path);
    } finally {
      if (!isTaken) held.delete(id);
    }
    if (!isTaken) return undefined;
    const renew = async (): Promise<void> => utimes(path, new Date(), new Date());
    const timer = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY).unref();
    return {
      touch: () => holder.touch(),
      keep: () => holder.keep(),
      async release() {
        clearInterval(timer);
        await rm(path, { force: true }).catch(() => undefined);
        held.delete(id);
      },
    };
  }

  return {
    isHeld: (id) => held.has(id),
    async take(id, { stop, isEnding = false } = {}) {
      for (const end = performance.now() + WAIT; ;) {
        const holder = held.get(id);
        if (holder) {
          holder.yield(isEnding);
        } else {
          const hold = await tryToTake(id, stop);
          if (hold) return hold;
          siblings.publish(TOPIC, { id, isEnding });
        }
        if (performance.now() >= end) throw locked();
        await pause(LOOK_EVERY);
      }
    },
  };
}
