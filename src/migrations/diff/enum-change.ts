/** The effects of a changed enumeration on existing values, in columns and inside components. */
import type { ValueChange } from '#contract/migrations/items-edit.ts';
import { type HintQuery, hintWithQuery } from '../sql/text/hint-sql.ts';
import type { ExchangedValues } from '../../storage/storage-model.ts';
import type { DiffContext } from './diff-context.ts';

/** An attribute that is an enumeration in the new schema. */
export interface EnumInput {
  /** The attribute: `article.status`. */
  readonly cause: string;
  /** Undefined if it was no enumeration, or if the history doesn't record its values. */
  readonly before: readonly string[] | undefined;
  /** Whether its storage type is that of enumerations, so it may have been one if the history doesn't record it. */
  readonly mayHaveBeen: boolean;
  readonly after: readonly string[];
  /** The exchanged values that the history records, and those in the schema. */
  readonly exchanged: { readonly before: ExchangedValues | undefined; readonly after: ExchangedValues | undefined };
}

export interface EnumChange {
  readonly mapped: readonly ValueChange[];
  /** The reverse mapping. It leaves out replacements that were already valid values before: these can't be told apart. */
  readonly undo: readonly ValueChange[];
  /** If values may have been removed without a replacement: the values that are allowed before the mapping, and the removed ones. */
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

/** The values that are still to be exchanged: of the cycles that the history doesn't record. */
function exchangesOf({ before, exchanged: { before: done = [], after = [] } }: EnumInput): ExchangedValues {
  // Values that were none before are replaced one by one.
  if (!before) return [];
  const isDone = (one: ExchangedValues[number]): boolean =>
    done.some(({ from, to }) => from === one.from && to === one.to);
  const pending = new Set(after.filter((one) => !isDone(one)).map(({ from }) => from));
  // A cycle of which a part is new is a new one.
  for (let size = -1; size !== pending.size;) {
    size = pending.size;
    for (const { from, to } of after) if (pending.has(from) || pending.has(to)) pending.add(from).add(to);
  }
  return after.filter(({ from }) => pending.has(from));
}

/** Compares the values of an enumeration before and after. */
export function enumChange(context: Pick<DiffContext, 'isRecorded' | 'valueChanges'>, input: EnumInput): EnumChange {
  const all = goneValues(context, input);
  const exchanges = exchangesOf(input);
  const replaced = (context.valueChanges.get(input.cause) ?? []).filter(
    ({ from }) => all === 'any' || all.includes(from),
  );
  const mapped = [...replaced, ...exchanges];
  const gone = all === 'any' ? all : all.filter((value) => !mapped.some(({ from }) => from === value));
  const values = [...new Set([...input.after, ...mapped.map(({ from }) => from)])].sort();
  return {
    mapped,
    undo: [...undoOf(replaced, input.before), ...exchanges.map(({ from, to }) => ({ from: to, to: from }))],
    ...(gone.length === 0 ? {} : { check: { values, gone } }),
  };
}

/** Values that a migration refuses. */
export interface GoneValues {
  readonly gone: readonly string[] | 'any';
  readonly cause: string;
  readonly after: readonly string[];
  /** Counts the entries with such a value. */
  readonly query: HintQuery;
}

/** The message and hint about a loss. */
export function enumLoss(
  { databases }: Pick<DiffContext, 'databases'>,
  { gone, cause, after, query }: GoneValues,
): { readonly message: string; readonly hint: string } {
  const isAny = gone === 'any';
  const what = isAny
    ? 'becomes an enumeration, but entries may have other values'
    : `no longer has the ${gone.length === 1 ? 'value' : 'values'} ${gone.map((value) => `'${value}'`).join(', ')}`;
  const example = `enumFrom: { ${(isAny ? undefined : gone[0]) ?? 'old'}: ${after[0] ?? 'new'} }`;
  const rest = `Define their replacements, for example ${example}. If no database has such values, pass --allow-destructive ${cause}`;
  return {
    message: `'${cause}' ${what}; the migration fails while an entry has such a value`,
    hint: hintWithQuery(databases, 'List these values', query, rest),
  };
}
