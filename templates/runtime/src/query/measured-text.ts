/** What the reads of lists and of single entries have in common: their limits, and how an answer is measured. */
import { type AnswerLimits, createAnswerBudget } from '../base/cost/answer-budget.ts';
import type { Client } from '../base/client.ts';
import type { Database } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import type { ReadOptions } from '../database/statement-runner.ts';
import type { EntryShape } from './entry-shape.ts';
import { hasOverflow } from './compile/markers.ts';
import type { LevelRead } from './read-levels.ts';

export interface ReadContext {
  readonly database: Database;
  readonly limits: AnswerLimits;
}

/** One run of a compiled read. */
export interface Run {
  /** The values that it binds, as its `Bindings` have made them. */
  readonly values: readonly unknown[];
  /** Who waits for the answer. */
  readonly client: Client | undefined;
}

/** Knows for which values a read was too large the last time: it is likely to be so again. */
export interface KnownTooLarge {
  is(run: Run): boolean;
  note(run: Run): void;
}

export function createKnownTooLarge(): KnownTooLarge {
  let known: string | undefined;
  return {
    is: ({ values }) => known !== undefined && known === JSON.stringify(values),
    note: ({ values }) => {
      known = JSON.stringify(values);
    },
  };
}

/** With a budget of its own. */
export function levelRead({ limits }: ReadContext, executor: Executor, options?: ReadOptions): LevelRead {
  return { executor, options, budget: createAnswerBudget(limits), most: limits.maxAnswerEntries };
}

function mayHaveMore(text: string | Buffer, most: number, { mark, shortest }: EntryShape): boolean {
  if (text.length < most * shortest) return false;
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) count += 1;
  return count > most;
}

function sizeOf(text: string | Buffer, most: number): number {
  // A character is at most three bytes: most texts need not be measured.
  return typeof text === 'string' && text.length * 3 > most ? Buffer.byteLength(text) : text.length;
}

/** Whether a text that one statement has answered is whole, and within the limits for all that is known. */
export function measured(
  text: string | Buffer,
  {
    limits,
    hasLists,
    shape,
  }: { readonly limits: AnswerLimits; readonly hasLists: boolean; readonly shape: EntryShape },
): boolean {
  // Where it was too long, an engine may answer NULL in its place.
  if (text.length <= 'null'.length && String(text) === 'null') return false;
  if (sizeOf(text, limits.maxAnswerSize) > limits.maxAnswerSize) return false;
  return !hasLists || !(hasOverflow(text) || mayHaveMore(text, limits.maxAnswerEntries, shape));
}
