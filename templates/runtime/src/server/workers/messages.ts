/** What a worker and the process that supervises it tell each other. */
import type { WorkerIndex } from '../../base/siblings.ts';

/** The variable by which a worker knows its place: `2/4`. */
export const PLACE_VARIABLE = 'CONTENT_GEN_WORKER';

/** From a worker. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly host: string; readonly port: number }
  | { readonly kind: 'tell'; readonly topic: string; readonly message: unknown }
  /** Its own metrics, which it was asked for. */
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: unknown }
  /** Asks for the metrics of all. */
  | { readonly kind: 'gather'; readonly id: number };

/** To a worker. */
export type ToWorker =
  | { readonly kind: 'stop' }
  | { readonly kind: 'told'; readonly topic: string; readonly message: unknown; readonly from: WorkerIndex }
  | { readonly kind: 'ended'; readonly worker: WorkerIndex }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'gathered'; readonly id: number; readonly text: string };
