/** Tags by which caches find the answers that a write changes. */
import type { Dialect } from '../database/dialect.ts';
import type { Step, Subject } from '../database/write-plan.ts';

/** The steps that find the tags of a write, before and after its own. */
export interface Purge {
  readonly before: readonly Step[];
  /** `store` makes the steps that store the tags. */
  after(store: (tags: readonly string[]) => readonly Step[]): readonly Step[];
}

export interface CacheTags {
  /** The headers that the caches of the schema read. */
  readonly headers: readonly string[];
  /** How many tags an answer may have. */
  readonly most: number;
  /** Every answer with tags has it. */
  readonly all: string;
  /** Of answers that depend on a type as a whole: any write to it changes them. */
  ofType(uid: string): string;
  /** Of answers that show the entry. */
  ofEntry(uid: string, id: number): string;
  /** Of lists that an entry of the type joins or leaves when it is created, published, taken back or deleted. */
  ofMembers(uid: string): string;
  /** Of lists of the entries that have one value in a column, or one relation. */
  ofBucket(uid: string, key: string, value: string): string;
  /** Of answers that were chosen or ordered by a column, or by a relation; `within`: of those in a bucket. */
  ofUse(key: string, within?: string): string;
  /** Finds the tags of the answers that a write may have changed; undefined if it changes none. */
  purge(subjects: readonly Subject[], dialect: Dialect): Purge | undefined;
}
