/** Tracks which replicas can be read. They are polled continuously, so that requests need not find out themselves. */
import type { Position } from '../../base/read-point.ts';
import { type Connection, ConnectionLost } from '../connection.ts';
import type { PostgresServer } from '../postgres.ts';
import type { ServerState } from './position.ts';
import { createPrimaryLog, type PrimaryLog } from './primary-log.ts';
import type { Replica } from './replica.ts';
import { type ServerWatch, watchServer } from './server-watch.ts';

/** Called when a replica can no longer be read (`left`), and when it can be read again (`returned`). */
export interface ReplicaNews {
  left(name: string, reason: string): void;
  returned(name: string): void;
}

export interface WatchedReplica {
  readonly replica: Replica;
  readonly server: PostgresServer;
}

export interface UsableReplicas {
  /** The least busy replica that has reached a position; undefined if there is none. */
  choose(required: Position | undefined): Replica | undefined;
  isUsable(replica: Replica): boolean;
  stop(): Promise<void>;
}

/** After this many unanswered polls, reads that wait for the replica are aborted. */
const SILENT = 2;

interface Watched {
  readonly replica: Replica;
  /** Its latest state, and when that was received. */
  state: (ServerState & { readonly answered: number }) | undefined;
  failures: number;
  /** Why it is not read; undefined if it is. */
  problem: string | undefined;
}

/** Why a replica must not be read. */
function problemOf({ state, failures }: Watched, log: PrimaryLog, maxDelay: number): string | undefined {
  if (!state || failures > 0) return 'it does not respond';
  if (!state.isReplica) return 'it is not a replica';
  const latest = log.latest();
  // The primary was polled later, but its position is earlier: this is not a replica of it.
  if (latest && state.answered < latest.at && state.position > latest.position) {
    return 'it replicates a different server';
  }
  const delay = log.delayOf(state.position);
  return delay <= maxDelay ? undefined : `it is ${delay === Infinity ? 'far' : `${Math.round(delay)} ms`} behind`;
}

/** The least busy replica that has reached a position. */
function best(all: readonly Watched[], required: Position): Replica | undefined {
  let chosen: Replica | undefined;
  for (const { replica, problem } of all) {
    if (problem !== undefined || replica.position() < required) continue;
    if (!chosen || replica.running() < chosen.running()) chosen = replica;
  }
  return chosen;
}

export interface WatchOptions {
  /** Connects to the primary: its log tells how far behind the replicas are. */
  readonly connectPrimary: (timeout: number) => Promise<Connection>;
  /** The maximum lag of a replica, in milliseconds. */
  readonly maxDelay: number;
  readonly news: ReplicaNews;
}

/** Starts polling the servers; resolves once each was polled. */
export async function watchReplicas(
  replicas: readonly WatchedReplica[],
  { connectPrimary, maxDelay, news }: WatchOptions,
): Promise<UsableReplicas> {
  const log = createPrimaryLog(2 * maxDelay);
  const all: Watched[] = replicas.map(({ replica }) => ({
    replica,
    state: undefined,
    failures: 0,
    problem: 'it does not respond',
  }));
  let isBegun = false;

  const judge = (one: Watched): void => {
    const before = one.problem;
    one.problem = problemOf(one, log, maxDelay);
    if (!isBegun || (before === undefined) === (one.problem === undefined)) return;
    if (one.problem === undefined) news.returned(one.replica.name);
    else news.left(one.replica.name, one.problem);
  };

  const watches: ServerWatch[] = replicas.map(({ server }, index) => {
    const one = all[index] as Watched;
    return watchServer({
      connect: server.connectBriefly,
      onState(state) {
        one.state = { ...state, answered: performance.now() };
        one.failures = 0;
        one.replica.reached(state.position);
        judge(one);
      },
      onFailure(error) {
        one.failures += 1;
        judge(one);
        if (one.failures === SILENT || error instanceof ConnectionLost) one.replica.interrupt();
      },
    });
  });
  watches.push(
    watchServer({
      connect: connectPrimary,
      onState({ position }, asked) {
        log.add({ at: asked, position });
        all.forEach(judge);
      },
      onFailure: () => undefined,
    }),
  );
  await Promise.all(watches.map(({ begun }) => begun));
  isBegun = true;
  for (const { replica, problem } of all) if (problem !== undefined) news.left(replica.name, problem);
  return {
    choose(required) {
      // Rotates them, so that equally busy replicas take turns.
      const [first] = all.splice(0, 1);
      if (first) all.push(first);
      return best(all, required ?? 0);
    },
    isUsable: (replica) => all.some((one) => one.replica === replica && one.problem === undefined),
    async stop() {
      await Promise.all(watches.map((watch) => watch.stop()));
    },
  };
}
