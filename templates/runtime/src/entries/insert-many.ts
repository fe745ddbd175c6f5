/** Plans the insertion of many entries of a type together: multi-row INSERTs, and one statement for the relations that they share. */
import { POSITION_STEP } from '../contract/position-step.ts';
import { isLinkAttribute } from '../contract/item-attributes.ts';
import type { ContentType } from '../contract/content-type.ts';
import { assignItemIds } from '../content/components/write-components.ts';
import { relationStepsOfNew } from '../content/relations/write-relations.ts';
import { NewId } from '../database/new-id.ts';
import { isSql, raw, sql } from '../database/sql.ts';
import type { Step } from '../database/write-plan.ts';
import { type Columns, insertRows } from '../write/columns.ts';
import type { EntryInput } from './context.ts';
import { rowColumns } from './insert-entry.ts';
import { withUidValues } from './uid-value.ts';
import { addPlannedColumns, type EntryPlan, planEntry, stepsAfterRelations, type Write } from './write-entry.ts';

/** A new entry, with the rights of its write. */
export interface ManyWrite {
  readonly write: Write;
  readonly input: EntryInput;
}

interface PlannedRow extends ManyWrite {
  readonly plan: EntryPlan;
  readonly id: NewId;
}

/** The columns of to-one relations that have a position in a list of the other side: [column, position]. */
function placedKeys({ attributes }: ContentType): readonly (readonly [string, string])[] {
  return Object.values(attributes).flatMap((attribute) => {
    if (!isLinkAttribute(attribute) || attribute.storage.kind !== 'foreignKey') return [];
    const { column, position } = attribute.storage;
    return position === undefined ? [] : [[column, position] as const];
  });
}

/** Places the rows of one INSERT after each other in the list of a target that they share: the expressions give all the same place. */
function placeInOrder(keys: readonly (readonly [string, string])[], rows: readonly Columns[]): void {
  for (const [column, position] of keys) {
    const before = new Map<unknown, number>();
    for (const columns of rows) {
      const target = columns.get(column);
      const place = columns.get(position);
      if (place === undefined || place === null || typeof place !== 'object' || !isSql(place)) continue;
      const count = before.get(target) ?? 0;
      before.set(target, count + 1);
      if (count > 0) columns.set(position, sql`${place} + ${raw(String(count * POSITION_STEP))}`);
    }
  }
}

/** The INSERTs of the rows, and then the steps that need their ids. */
function stepsOf(rows: readonly PlannedRow[], { tx, type }: Write): readonly Step[] {
  const own = rows.map(({ write, input, plan, id }) => ({
    columns: addPlannedColumns(rowColumns(write, input), write, plan),
    id,
  }));
  const keys = placedKeys(type);
  const { statements, learnIds } = insertRows(tx.dialect, type.table, own, (some) => placeInOrder(keys, some));
  return [
    ...statements,
    async (_, outcome) => {
      learnIds(outcome);
      return [
        ...relationStepsOfNew(
          tx.dialect,
          rows.map(({ plan, id }) => ({ plan: plan.relations, owner: id.value })),
        ),
        ...rows.flatMap(({ write, input, plan, id }) => stepsAfterRelations(write, plan, id.value, input)),
      ];
    },
  ];
}

/** Plans the entries in order. Resolves to their ids, which the steps set. Throws ValidationError. */
export async function planMany(
  all: readonly ManyWrite[],
): Promise<{ readonly ids: readonly NewId[]; readonly steps: readonly Step[] }> {
  const [first] = all;
  if (!first) return { ids: [], steps: [] };
  const { tx, type } = first.write;
  const rows: PlannedRow[] = [];
  for (const { write, input: given } of all) {
    const input = await withUidValues(tx, type, given, given, { claimed: write.claimed });
    rows.push({ write, input, plan: await planEntry(write, undefined, input), id: new NewId(type.table) });
  }
  await assignItemIds(
    tx,
    rows.map(({ plan }) => plan.components),
  );
  return { ids: rows.map(({ id }) => id), steps: stepsOf(rows, first.write) };
}
