/** Plans the deletion of entries of a type, and of those that go with them. */
import { otherRowOf, passOnLinks } from '../content/localization/pass-on-links.ts';
import { publishedClaims } from '../content/publication/publish.ts';
import { type Closure, findClosure } from '../content/relations/closure.ts';
import { requireUnheld } from '../content/relations/holders.ts';
import type { EntryOf, Reach } from '../content/relations/reach.ts';
import { incrementVersionsOfReferrers } from '../content/relations/referrer-versions.ts';
import { lostRelations } from '../content/relations/referrers.ts';
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { NotFoundError } from '../contract/errors.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { forbidden, hasRight } from '../contract/policy/rights.ts';
import { deleteRows, sql } from '../database/sql.ts';
import type { Statement, Step, Transaction, WritePlan } from '../database/write-plan.ts';
import type { Preconditions } from '../query/entry-request.ts';
import type { CheckedQuery } from '../query/checked-query.ts';
import type { Reader } from '../query/reader.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { entryCondition, hasVersionPrecondition } from './preconditions.ts';
import { StaleEntryError } from './stale-entry.ts';

interface DeletedType {
  readonly reader: Reader;
  readonly types: ContentTypes;
  readonly type: ContentType;
}

interface Removal {
  readonly checked: CheckedQuery;
  readonly caller: Caller;
  readonly reach: Reach;
  readonly expected?: Preconditions | undefined;
}

/** The DELETE of a row. Of those that go with others, a row may be gone already. */
function deleteStatement(tx: Transaction, { type, id }: EntryOf, isNamed: boolean, { expected }: Removal): Statement {
  const row = sql`id = ${id}${isNamed ? entryCondition(tx.dialect, type, expected) : sql``}`;
  const noRowError = () => (hasVersionPrecondition(expected) ? new StaleEntryError() : new NotFoundError());
  return { sql: deleteRows(tx.dialect.id(type.table), row), returns: 'nothing', ...(isNamed && { noRowError }) };
}

/** The steps that delete one row. Foreign keys remove it from all lists. */
async function stepsFor(
  tx: Transaction,
  types: ContentTypes,
  row: EntryOf,
  { closure, isNamed, removal }: { readonly closure: Closure; readonly isNamed: boolean; readonly removal: Removal },
): Promise<readonly Step[]> {
  const { type, id } = row;
  const gone = closure.idsOf(type);
  const staysAsEntry = async (): Promise<boolean> =>
    type.localized && (await otherRowOf(tx, type, id, gone)) !== undefined;
  const links = passOnLinks(types, type, id, gone);
  const claims = publishedClaims({ types, type }, id);
  const lost = await lostRelations(tx, { types, type, id, isGone: closure.has, staysAsEntry }, removal);
  const consequences = await removal.reach.changed(tx, lost);
  return [
    ...incrementVersionsOfReferrers(tx.dialect, types, type, id),
    ...links.before,
    ...claims.before,
    deleteStatement(tx, row, isNamed, removal),
    ...links.after,
    ...claims.after,
    ...consequences,
  ];
}

/** Throws ForbiddenError if the caller may not delete entries that go with others. */
function requireRights(entries: readonly EntryOf[], caller: Caller): void {
  for (const { uid } of new Set(entries.map(({ type }) => type))) {
    if (hasRight(caller, 'cascaded', uid)) continue;
    throw forbidden(
      caller,
      'cascaded',
      uid,
      `entries of ${uid} would be deleted with it, which this role may not delete`,
    );
  }
}

async function readEntries(
  tx: Transaction,
  reader: Reader,
  ids: readonly number[],
  { checked }: Removal,
): Promise<readonly ReadEntry[]> {
  const entries: ReadEntry[] = [];
  for (const id of ids) {
    const entry = await reader.findEntry(tx, checked, id);
    if (entry === undefined) throw new NotFoundError();
    entries.push(entry);
  }
  return entries;
}

/**
 * The plan returns the entries as they were, in the order of `ids`. Throws NotFoundError if one does not exist. Executing the plan
 * throws it, too, if one was deleted in the meantime. If versions are `expected`, it throws StaleEntryError instead, and also if one
 * has another version.
 * Throws ForbiddenError if other entries refer to them that the caller may not update, or go with them that the caller may not delete;
 * ValidationError if entries keep them from being deleted, or if too many go with them.
 */
export async function planDeletes(
  tx: Transaction,
  { reader, types, type }: DeletedType,
  ids: readonly number[],
  removal: Removal,
): Promise<WritePlan<readonly ReadEntry[]>> {
  const entries = await readEntries(tx, reader, ids, removal);
  const closure = await findClosure(tx, types, { type, ids });
  const isNamed = (row: EntryOf): boolean => row.type.uid === type.uid && ids.includes(row.id);
  const further = closure.rows.filter((row) => !isNamed(row));
  requireRights(further, removal.caller);
  await requireUnheld(tx, types, closure, { ...removal, type, further });
  const around = await removal.reach.removed(further);
  const steps: Step[] = [];
  for (const row of closure.rows) {
    steps.push(...(await stepsFor(tx, types, row, { closure, isNamed: isNamed(row), removal })));
  }
  return {
    subjects: [...ids.map((id) => ({ type, id })), ...further].map((row) => ({
      action: 'delete',
      type: row.type.uid,
      id: row.id,
    })),
    steps: [...around.before, ...closure.cuts(tx.dialect), ...steps, ...around.after],
    answer: () => entries,
  };
}
