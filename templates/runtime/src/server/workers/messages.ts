/** The messages between workers and their supervisor. */
import type { WorkerIndex } from '../../base/siblings.ts';

/** The environment variable that tells a worker its slot: `2/4`. */
export const WORKER_VARIABLE = 'CONTENT_GEN_WORKER';

/** Messages from a worker. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'publish'; readonly topic: string; readonly message: unknown }
  /** The worker's own metrics, in reply to `collect`. */
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: unknown }
  /** Requests the metrics of all workers. */
  | { readonly kind: 'gather'; readonly id: number };

/** Messages to a worker. */
export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'published'; readonly topic: string; readonly message: unknown; readonly from: WorkerIndex }
  | { readonly kind: 'ended'; readonly worker: WorkerIndex }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly text: string };
