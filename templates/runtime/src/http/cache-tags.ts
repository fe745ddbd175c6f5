/** Tags by which caches find the answers that a write changes. */
import type { Subject } from '../database/write-plan.ts';

export interface CacheTags {
  /** The headers that the caches of the schema read. */
  readonly headers: readonly string[];
  /** Every answer with tags has it. */
  readonly all: string;
  ofType(uid: string): string;
  ofEntry(uid: string, id: number): string;
  /** The tags of the answers that a write may have changed. */
  purged(subject: Subject): readonly string[];
}
