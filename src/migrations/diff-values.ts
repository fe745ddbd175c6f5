/** What the rows of columns that stay must have: a value where one is required, and one of the enumeration's. */
import type { Column } from '../storage/storage-model.ts';
import type { ValueChange } from './change.ts';
import type { TableDiff } from './table-diff.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import type { Pair } from './pair.ts';

/** Which rows have a value. */
function strictness({ nullable, required }: Column): number {
  if (!nullable) return 2;
  return required === undefined ? 0 : required === 'published' ? 1 : 2;
}

function diffRequired(
  { draft, isRecorded }: DiffContext,
  { tables }: TableDiff,
  { before, after }: Pair<Column>,
): void {
  if (!after.nullable || strictness(after) <= strictness(before)) return;
  const table = tables.after.name;
  const thing = causeOf(tables.after, after.origin);
  const isPublished = after.required === 'published';
  if (after.default !== undefined) {
    const published = isPublished ? ({ published: true } as const) : {};
    draft.add('alter', { kind: 'fillEmpty', table, column: after, ...published, cause: thing });
    return;
  }
  // Of a history that does not say what was required, it may have been so all along.
  if (!isRecorded) return;
  const which = isPublished ? ' AND "published_at" IS NOT NULL' : '';
  draft.lose({
    code: 'requires',
    thing,
    message: `'${thing}' becomes required, and ${isPublished ? 'published ' : ''}entries that exist may have no value for it`,
    hint: `See what is there: SELECT count(*) FROM "${table}" WHERE "${after.name}" IS NULL${which}. Give the attribute a default, which those entries get; or give them values first and, when the count is 0 everywhere: --allow-destructive ${thing}`,
    places: [thing],
  });
}

/** Former values that are no longer there; 'any' where the column could hold everything. */
function goneValues({ isRecorded }: DiffContext, before: Column, after: Column): readonly string[] | 'any' {
  const { values = [] } = after;
  if (before.values) return before.values.filter((value) => !values.includes(value));
  // An enumeration of a history that does not say what it could hold was stored as short text.
  return isRecorded || before.type !== 'string' ? 'any' : [];
}

/** What undoes a change of values: those that came to a value which was there before can't be told apart from it. */
function undoOf(values: readonly ValueChange[], { values: known }: Column): readonly ValueChange[] {
  if (!known) return [];
  const first = new Map(values.toReversed().map(({ from, to }) => [to, from]));
  return [...first].filter(([to]) => !known.includes(to)).map(([to, from]) => ({ from: to, to: from }));
}

function diffEnum(context: DiffContext, { tables }: TableDiff, { before, after }: Pair<Column>): void {
  if (!after.values) return;
  const { draft, valueChanges } = context;
  const gone = goneValues(context, before, after);
  const cause = causeOf(tables.after, after.origin);
  const mapped = (valueChanges.get(cause) ?? []).filter(({ from }) => gone === 'any' || gone.includes(from));
  if (mapped.length > 0) {
    const change = { kind: 'mapValues', table: tables.after.name, column: after.name, values: mapped } as const;
    draft.add('data', { ...change, undo: undoOf(mapped, before), cause });
  }
  const open = gone === 'any' ? undefined : gone.filter((value) => !mapped.some(({ from }) => from === value));
  if (open?.length === 0) return;
  const values = [...new Set([...after.values, ...mapped.map(({ from }) => from)])].sort();
  draft.add('check', { kind: 'checkValues', table: tables.before.name, column: before.name, values, cause });
  const list = values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ');
  const what = open
    ? `can no longer be ${open.map((value) => `'${value}'`).join(', ')}`
    : 'becomes an enumeration, and entries may have other values';
  draft.lose({
    code: 'narrows',
    thing: cause,
    message: `'${cause}' ${what}: the migration stops while entries have such a value`,
    hint: `See what is there: SELECT "${before.name}", count(*) FROM "${tables.before.name}" WHERE "${before.name}" NOT IN (${list}) GROUP BY "${before.name}". Say what these values become: enumFrom: { ${open?.[0] ?? 'old'}: ${after.values[0] ?? 'new'} }. If there are none anywhere: --allow-destructive ${cause}`,
    places: [cause],
  });
}

/** Adds to the draft what rows get that lack a value, or have one that is gone, and what would stop the migration. */
export function diffValues(context: DiffContext, diff: TableDiff): void {
  for (const pair of diff.columns.pairs) {
    diffRequired(context, diff, pair);
    diffEnum(context, diff, pair);
  }
}
