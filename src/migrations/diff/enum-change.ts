/** What a change of an enumeration means to the values that are there, in columns and inside components. */
import type { ValueChange } from '../history/value-change.ts';
import type { DiffContext } from './diff-context.ts';

/** Something that becomes an enumeration, or stays one. */
export interface EnumInput {
  /** The attribute: `article.status`. */
  readonly cause: string;
  /** Absent: it was none, or its history does not say what it could hold. */
  readonly before: readonly string[] | undefined;
  /** It was stored as enumerations are, so that it may have been one of a history which does not say so. */
  readonly mayHaveBeen: boolean;
  readonly after: readonly string[];
}

export interface EnumChange {
  readonly mapped: readonly ValueChange[];
  /** What undoes that: values that came to one which was there before can't be told apart from it. */
  readonly undo: readonly ValueChange[];
  /** Where values may be there that become nothing: what there may be instead, before values are mapped, and what is gone. */
  readonly check?: { readonly values: readonly string[]; readonly gone: readonly string[] | 'any' };
}

function undoOf(mapped: readonly ValueChange[], known: readonly string[] | undefined): readonly ValueChange[] {
  if (!known) return [];
  const first = new Map(mapped.toReversed().map(({ from, to }) => [to, from]));
  return [...first].filter(([to]) => !known.includes(to)).map(([to, from]) => ({ from: to, to: from }));
}

function goneValues(
  { isRecorded }: Pick<DiffContext, 'isRecorded'>,
  { before, mayHaveBeen, after }: EnumInput,
): readonly string[] | 'any' {
  if (before) return before.filter((value) => !after.includes(value));
  return isRecorded || !mayHaveBeen ? 'any' : [];
}

/** Compares what may be held before and after. */
export function enumChange(context: Pick<DiffContext, 'isRecorded' | 'valueChanges'>, input: EnumInput): EnumChange {
  const all = goneValues(context, input);
  const mapped = (context.valueChanges.get(input.cause) ?? []).filter(
    ({ from }) => all === 'any' || all.includes(from),
  );
  const gone = all === 'any' ? all : all.filter((value) => !mapped.some(({ from }) => from === value));
  const values = [...new Set([...input.after, ...mapped.map(({ from }) => from)])].sort();
  return {
    mapped,
    undo: undoOf(mapped, input.before),
    ...(gone.length === 0 ? {} : { check: { values, gone } }),
  };
}

/** A loss in words, and what to do; `queries` show what is there. */
export function enumLoss(
  gone: readonly string[] | 'any',
  cause: string,
  after: readonly string[],
  queries: string,
): { readonly message: string; readonly hint: string } {
  const isAny = gone === 'any';
  const what = isAny
    ? 'becomes an enumeration, and entries may have other values'
    : `can no longer be ${gone.map((value) => `'${value}'`).join(', ')}`;
  const example = `enumFrom: { ${(isAny ? undefined : gone[0]) ?? 'old'}: ${after[0] ?? 'new'} }`;
  return {
    message: `'${cause}' ${what}: the migration stops while entries have such a value`,
    hint: `See what is there: ${queries}. Say what these values become: ${example}. If there are none anywhere: --allow-destructive ${cause}`,
  };
}
