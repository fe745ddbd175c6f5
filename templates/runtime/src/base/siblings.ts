/** What the workers of one server tell one another: state that is not worth a row in the database, but must be the same in all of them. */

/** A worker by its number, from 1. */
export type WorkerIndex = number;

export interface Siblings {
  /** Tells all other workers. They learn of it a moment later. */
  tell(topic: string, message: unknown): void;
  onTold(topic: string, listener: (message: unknown, from: WorkerIndex) => void): void;
  /** When a worker has ended, whatever it had told. */
  onEnded(listener: (worker: WorkerIndex) => void): void;
}

/** Of a server that is one process. */
export const NO_SIBLINGS: Siblings = {
  tell: () => undefined,
  onTold: () => undefined,
  onEnded: () => undefined,
};

/** Which of the processes of a server this one is. */
export interface WorkerPlace {
  readonly index: WorkerIndex;
  /** How many there are. */
  readonly count: number;
}

/** Of a server that is one process. */
export const ALONE: WorkerPlace = { index: 1, count: 1 };

/** Whether this process does what only one of them should: schedules, and what is said once. */
export function doesJobs({ index }: WorkerPlace): boolean {
  return index === 1;
}
