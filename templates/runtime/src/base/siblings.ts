/** Messages between the workers of one server, for state that they must share but that need not be in the database. */

/** The number of a worker, from 1. */
export type WorkerIndex = number;

export interface Siblings {
  /** Sends a message to all other workers, asynchronously. */
  publish(topic: string, message: unknown): void;
  subscribe(topic: string, listener: (message: unknown, from: WorkerIndex) => void): void;
  /** Called when a worker has ended: its state is gone. */
  onEnded(listener: (worker: WorkerIndex) => void): void;
}

/** For a server with a single process. */
export const NO_SIBLINGS: Siblings = {
  publish: () => undefined,
  subscribe: () => undefined,
  onEnded: () => undefined,
};

/** Which worker of a server this process is. */
export interface WorkerSlot {
  readonly index: WorkerIndex;
  /** Number of workers. */
  readonly count: number;
}

/** For a server with a single process. */
export const SINGLE_WORKER: WorkerSlot = { index: 1, count: 1 };

/** Whether this is the worker for tasks that only one must do: schedules, and messages to be logged once. */
export function isJobWorker({ index }: WorkerSlot): boolean {
  return index === 1;
}
