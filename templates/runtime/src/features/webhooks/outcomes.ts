/** Stores what becomes of rows by a try, and of their receiver. */
import { counters } from '../../base/counters.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../http/log.ts';
import { type OutboxRow, type Outcome, STATE, type Try, wake } from './outbox-rows.ts';
import type { Answered } from './post.ts';
import { disable, noteFailure, noteSuccess, type ReceiverState } from './receiver-rows.ts';
import type { Receiver } from './receivers.ts';
import { createSettlement } from './settlement.ts';
import { askedWait, MANY_FAILURES, pauseAfter, TRIED_FOR, waitAfter } from './waits.ts';

const GONE = 410;

/** A try that has ended. */
export interface Ended {
  readonly answered: Answered | undefined;
  readonly tried: Try;
}

/** What a try has told. `state`: that of the receiver before it. */
interface Tried {
  readonly receiver: Receiver;
  readonly rows: readonly OutboxRow[];
  readonly state: ReceiverState | undefined;
}

export interface Outcomes {
  succeeded(what: Tried, ended: Ended): Promise<void>;
  failed(what: Tried, ended: Ended): Promise<void>;
}

/** What becomes of a row after a failed try. */
function failed(row: OutboxRow, asked: number, now: number): Pick<Outcome, 'state' | 'dueAt'> {
  const dueAt = now + Math.max(waitAfter(row.attempts + 1), asked);
  return dueAt - row.since > TRIED_FOR ? { state: STATE.givenUp, dueAt: now } : { state: STATE.pending, dueAt };
}

/** `lease`: that of the rows. */
export function createOutcomes(database: Database, logger: Logger, lease: string): Outcomes {
  const settlement = createSettlement(database);

  async function noteFailed(receiver: Receiver, state: ReceiverState | undefined, { answered }: Ended): Promise<void> {
    counters.webhookFailures += 1;
    if (answered?.status === GONE) {
      await disable(database, receiver.name, 'it has answered 410 Gone');
      logger.warn({ webhook: receiver.name }, 'webhook disabled, because its receiver has answered 410');
      return;
    }
    const now = Date.now();
    const pause = Math.max(pauseAfter((state?.failures ?? 0) + 1), askedWait(answered?.retryAfter, now));
    await noteFailure(database, receiver.name, now + pause);
  }

  return {
    async succeeded({ receiver, rows, state }, { tried }) {
      const settled = { lease, state: STATE.told, dueAt: Date.now(), tried };
      await Promise.all(rows.map((row) => settlement.add({ row, ...settled })));
      counters.webhooksTold += rows.length;
      if (!state || state.failures === 0) return;
      await noteSuccess(database, receiver.name);
      // What has failed while nobody answered need not wait any longer.
      if (state.failures >= MANY_FAILURES) await wake(database, receiver.name, Date.now());
    },
    async failed({ receiver, rows, state }, ended) {
      const { answered, tried } = ended;
      const now = Date.now();
      const asked = askedWait(answered?.retryAfter, now);
      await Promise.all(
        rows.map(async (row) => {
          const next = failed(row, asked, now);
          await settlement.add({ row, lease, ...next, tried });
          const line = { webhook: receiver.name, event: row.id, ...tried };
          if (next.state === STATE.pending) logger.debug(line, 'event not accepted: it is told again');
          else logger.error(line, 'event given up: its receiver has not accepted it for three days');
        }),
      );
      await noteFailed(receiver, state, ended);
    },
  };
}
