/** Changes to the constraints on values of existing columns: required values and enumerations. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import type { Column } from '../../storage/storage-model.ts';
import type { TableDiff } from './table-diff.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import { enumChange, enumLoss } from './enum-change.ts';
import type { Pair } from './pair.ts';
import { hintWithQuery, type HintWriter } from '../sql/text/hint-sql.ts';

/** How many rows must have a value: 0 none, 1 published ones, 2 all. */
function strictness({ nullable, required }: Column): number {
  if (!nullable) return 2;
  return required === undefined ? 0 : required === 'published' ? 1 : 2;
}

function becomesRequired({ before, after }: Pair<Column>): boolean {
  return after.nullable && strictness(after) > strictness(before);
}

/** Whether existing rows may lack the value that a nullable column must have from now on. */
export function mayLackValues({ isRecorded }: DiffContext, pair: Pair<Column>): boolean {
  // A history that doesn't record `required` can't tell whether the attribute was required before.
  return isRecorded && becomesRequired(pair) && pair.after.default === undefined;
}

function diffRequired(context: DiffContext, { tables }: TableDiff, pair: Pair<Column>): void {
  if (!becomesRequired(pair)) return;
  const { draft } = context;
  const { after } = pair;
  const table = tables.after.name;
  const thing = causeOf(tables.after, after.attribute);
  const isPublished = after.required === 'published';
  if (after.default !== undefined) {
    const published = isPublished ? ({ published: true } as const) : {};
    draft.add('alter', { kind: 'fillEmpty', table, column: after, ...published, cause: thing });
    return;
  }
  if (!mayLackValues(context, pair)) return;
  const query = ({ id }: HintWriter): string =>
    `SELECT count(*) FROM ${id(table)} WHERE ${id(after.name)} IS NULL${isPublished ? ` AND ${id(COLUMN_NAMES.publishedAt)} IS NOT NULL` : ''}`;
  const rest = `Either add a default, which they receive, or set their values first. Once the count is 0 in every database, pass --allow-destructive ${thing}`;
  draft.lose({
    code: 'requires',
    thing,
    message: `'${thing}' becomes required, but existing ${isPublished ? 'published ' : ''}entries may have no value for it`,
    hint: hintWithQuery(context.databases, 'Count these entries', query, rest),
    places: [thing],
  });
}

function diffEnum(context: DiffContext, { tables }: TableDiff, { before, after }: Pair<Column>): void {
  if (!after.values) return;
  const { draft } = context;
  const cause = causeOf(tables.after, after.attribute);
  const mayHaveBeen = before.type === 'string';
  const exchanged = { before: before.exchanged, after: after.exchanged };
  const input = { cause, before: before.values, mayHaveBeen, after: after.values, exchanged };
  const { mapped, undo, check } = enumChange(context, input);
  if (mapped.length > 0) {
    draft.add('data', { kind: 'mapValues', table: tables.after.name, column: after.name, values: mapped, undo, cause });
  }
  if (!check) return;
  const { values, gone } = check;
  draft.add('check', { kind: 'checkValues', table: tables.before.name, column: before.name, values, cause });
  const query = ({ id, text }: HintWriter): string => {
    const name = id(before.name);
    return `SELECT ${name}, count(*) FROM ${id(tables.before.name)} WHERE ${name} NOT IN (${values.map(text).join(', ')}) GROUP BY ${name}`;
  };
  const loss = enumLoss(context, { gone, cause, after: after.values, query });
  draft.lose({ code: 'narrows', thing: cause, ...loss, places: [cause] });
}

/** Adds fills of missing values, replacements of removed enumeration values, and checks for invalid values to the draft. */
export function diffValues(context: DiffContext, diff: TableDiff): void {
  for (const pair of diff.columns.pairs) {
    diffRequired(context, diff, pair);
    diffEnum(context, diff, pair);
  }
}
