/**
 * Tells the clients of this process: reads the event log once for all of them, and what callers with the same rights find once for
 * these. Clients that come back are told what they have missed, together, until they are as far as the others.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { counters } from '../../base/counters.ts';
import { gauges } from '../../base/gauges.ts';
import { createPolling } from '../../base/polling.ts';
import type { Database } from '../../database/database.ts';
import { eventsAfter, givePositions, lastPosition } from './event-rows.ts';
import { MOST_WAITING, type Subscriber } from './subscriber.ts';
import { createTelling, inTurns, type TellingOptions } from './tell-events.ts';

/** How often the log is read for writes of other processes, in milliseconds. */
const INTERVAL = 500;
/** How long events are collected after a write, in milliseconds. */
const COLLECTING = 25;
/** How many events are read at a time. */
const PAGE = 200;
/** How long clients have to read what they have missed, page by page, in milliseconds. */
const READING_TIME = 2000;
/** How often clients are looked after: whether they are there, and may be. In milliseconds. */
export const HEARTBEAT = 15_000;

export interface EventHub {
  /** The position from which a client that has missed nothing is told. */
  present(): Promise<number>;
  /** Tells the subscriber all events after its position, until its stream ends. */
  add(subscriber: Subscriber): void;
  /** Something was written by this process. */
  nudge(): void;
  count(): number;
  /** Ends all streams. */
  endAll(): void;
  stop(): Promise<void>;
}

export function createEventHub(options: TellingOptions & { readonly database: Database }): EventHub {
  const { database, ids, logger } = options;
  const { tell, callersOf, fail } = createTelling(options);
  /** Those that were told everything up to `at`. */
  const current = new Set<Subscriber>();
  /** Those that were not. */
  const late = new Set<Subscriber>();
  let at = 0;
  let isCatchingUp = false;
  let isStopped = false;
  let isRunning = false;

  /** Tells new events. */
  async function tellNew(): Promise<void> {
    if (current.size === 0 && late.size === 0) return;
    await givePositions(database);
    for (;;) {
      const events = await eventsAfter(database, { after: at, most: PAGE });
      const last = events.at(-1);
      if (!last) return;
      const { since } = events[0] ?? last;
      // Whoever comes while these are told is told from there on.
      at = last.position;
      await tell([...current], events);
      counters.eventsTold += events.length;
      gauges.eventLag = Math.max(0, Date.now() - since);
    }
  }

  async function untilRead(members: readonly Subscriber[]): Promise<void> {
    const end = performance.now() + READING_TIME;
    while (members.some((member) => member.waiting() > MOST_WAITING / 2) && performance.now() < end) await sleep(10);
  }

  /** Tells those that are late what they have missed, from the one that has missed the most. */
  async function catchUp(members: readonly Subscriber[]): Promise<void> {
    let position = Math.min(...members.map((member) => member.position));
    for (;;) {
      const upTo = at;
      const events = await eventsAfter(database, { after: position, upTo, most: PAGE });
      await tell(members, events);
      position = events.at(-1)?.position ?? upTo;
      if (events.length === PAGE) await untilRead(members);
      else if (at === upTo) break;
    }
    for (const member of members) {
      late.delete(member);
      if (member.stream.destroyed) continue;
      member.position = Math.max(member.position, position);
      current.add(member);
    }
  }

  async function catchAllUp(): Promise<void> {
    if (isCatchingUp) return;
    isCatchingUp = true;
    while (late.size > 0 && !isStopped) {
      const members = [...late];
      try {
        await catchUp(members);
      } catch (error) {
        for (const member of members) late.delete(member);
        fail(members, error);
      }
    }
    isCatchingUp = false;
  }

  /** Ends the streams of callers without valid credentials; tells the others that the server is there, and how far they are. */
  async function look(): Promise<void> {
    const members = [...current];
    await callersOf(members);
    for await (const member of inTurns(members)) member.send(`id: ${ids.write(member.position)}\n\n`);
  }

  const polling = createPolling({
    interval: INTERVAL,
    collecting: COLLECTING,
    work: tellNew,
    failed: (error) => logger.warn({ err: error }, 'the event log could not be read'),
  });
  const heartbeat = setInterval(() => {
    look().catch((error: unknown) => logger.warn({ err: error }, 'clients of events could not be looked after'));
  }, HEARTBEAT).unref();

  return {
    async present() {
      if (current.size > 0) return at;
      await givePositions(database);
      return lastPosition(database);
    },
    add(subscriber) {
      gauges.eventClients += 1;
      subscriber.stream.once('close', () => {
        gauges.eventClients -= 1;
        current.delete(subscriber);
        late.delete(subscriber);
      });
      if (current.size === 0 && late.size === 0) at = Math.max(at, subscriber.position);
      if (subscriber.position < at) {
        late.add(subscriber);
        void catchAllUp();
      } else {
        current.add(subscriber);
      }
      if (isRunning) return;
      isRunning = true;
      polling.start();
    },
    nudge: () => {
      if (current.size > 0 || late.size > 0) polling.nudge();
    },
    count: () => current.size + late.size,
    endAll() {
      for (const member of [...current, ...late]) member.end();
    },
    async stop() {
      isStopped = true;
      clearInterval(heartbeat);
      if (isRunning) await polling.stop();
    },
  };
}
