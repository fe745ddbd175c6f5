/**
 * A database that sends reads of read-only requests to its replicas. Reads whose client has no `reads`, writes, and reads
 * within a write go to the primary.
 */
import type { ReadPoint } from '../../base/read-point.ts';
import { ClientGoneError, HttpError } from '../../contract/errors.ts';
import type { Database } from '../database.ts';
import type { Executor } from '../executor.ts';
import type { ReadOptions } from '../statement-runner.ts';
import type { Replica } from './replica.ts';
import type { UsableReplicas } from './usable-replicas.ts';

/** The replica for a request: the same one for all of its reads, as long as it is usable. Undefined: the primary. */
function replicaFor(point: ReadPoint, usable: UsableReplicas): Replica | undefined {
  if (point.server === null) return undefined;
  const before = point.server as Replica | undefined;
  const chosen = before ? (usable.isUsable(before) ? before : undefined) : usable.choose(point.required);
  point.server = chosen ?? null;
  return chosen;
}

/** Whether an error would occur on any server. */
function isLasting(error: unknown, options: ReadOptions): boolean {
  return error instanceof HttpError && !(error instanceof ClientGoneError && !options.client?.gone);
}

/** Reads from a replica, and falls back to the primary if there is none or it fails for a reason of its own. */
async function routed<T>(
  usable: UsableReplicas,
  options: ReadOptions | undefined,
  fromReplica: (replica: Replica, options: ReadOptions, point: ReadPoint) => Promise<T>,
  fromPrimary: () => Promise<T>,
): Promise<T> {
  const point = options?.client?.reads;
  const replica = point && replicaFor(point, usable);
  if (!options || !replica) return fromPrimary();
  try {
    return await fromReplica(replica, options, point);
  } catch (error) {
    if (isLasting(error, options)) throw error;
    if (options.client?.gone) throw new ClientGoneError();
    point.server = null;
    return fromPrimary();
  }
}

export function routedDatabase(primary: Database, usable: UsableReplicas, close: () => Promise<void>): Database {
  return {
    ...primary,
    // That of the primary says nothing of what replicas show.
    state: undefined,
    all: (statement, options) =>
      routed(
        usable,
        options,
        (replica, given, point) => replica.all(statement, given, point),
        () => primary.all(statement, options),
      ),
    get: (statement, options) =>
      routed(
        usable,
        options,
        async (replica, given, point) => (await replica.all(statement, given, point))[0],
        () => primary.get(statement, options),
      ),
    readTransaction: <T>(options: ReadOptions | undefined, work: (reader: Executor) => Promise<T>) =>
      routed(
        usable,
        options,
        (replica, given, point) => replica.readTransaction(given, point, work),
        () => primary.readTransaction(options, work),
      ),
    async close() {
      await close();
      await primary.close();
    },
  };
}
