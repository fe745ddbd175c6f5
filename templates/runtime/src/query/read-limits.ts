/** Shared by the reads of lists and of single entries: their limits, and how answers are measured. */
import { type AnswerLimits, createAnswerBudget } from '../base/cost/answer-budget.ts';
import type { Client } from '../base/client.ts';
import type { Database } from '../database/database.ts';
import type { Executor } from '../database/executor.ts';
import type { ReadOptions } from '../database/statement-runner.ts';
import type { EntryShape } from './entry-shape.ts';
import type { FileUrls } from './file-urls.ts';
import { hasOverflow } from './compile/markers.ts';
import type { LevelRead } from './read-levels.ts';
import { isLonger, type Pieces } from './utf8-pieces.ts';

export interface ReadContext {
  readonly database: Database;
  readonly limits: AnswerLimits;
  /** Signs the addresses of files in answers. */
  readonly fileUrls?: FileUrls | undefined;
}

/** One run of a compiled read. */
export interface ReadRun {
  /** The bound values, from its `Bindings`. */
  readonly values: readonly unknown[];
  /** The client waiting for the answer. */
  readonly client: Client | undefined;
}

/** Remembers the values for which a read last was too large: it probably will be again. */
export interface KnownTooLarge {
  has(run: ReadRun): boolean;
  add(run: ReadRun): void;
}

export function createKnownTooLarge(): KnownTooLarge {
  let known: string | undefined;
  return {
    has: ({ values }) => known !== undefined && known === JSON.stringify(values),
    add: ({ values }) => {
      known = JSON.stringify(values);
    },
  };
}

/** Starts a read by levels with its own budget. */
export function levelRead({ limits }: ReadContext, executor: Executor, options?: ReadOptions): LevelRead {
  return { executor, options, budget: createAnswerBudget(limits), most: limits.maxAnswerEntries };
}

const NULL = 'null';

function mayHaveMore(pieces: Pieces, most: number, { signature, minLength }: EntryShape): boolean {
  let length = 0;
  for (const text of pieces) length += text.length;
  if (length < most * minLength) return false;
  let count = 0;
  for (const text of pieces) {
    for (let at = text.indexOf(signature); at !== -1; at = text.indexOf(signature, at + signature.length)) count += 1;
  }
  return count > most;
}

/** Whether the result of a single statement is complete, with no sign that it exceeds the limits. */
export function isWithinLimits(
  pieces: Pieces,
  {
    limits,
    hasLists,
    shape,
  }: { readonly limits: AnswerLimits; readonly hasLists: boolean; readonly shape: EntryShape },
): boolean {
  // An engine may return NULL in place of a result that was too long.
  const [first] = pieces;
  if (first !== undefined && first.length === NULL.length && String(first) === NULL) return false;
  if (isLonger(pieces, limits.maxAnswerSize)) return false;
  return !hasLists || !(pieces.some(hasOverflow) || mayHaveMore(pieces, limits.maxAnswerEntries, shape));
}
