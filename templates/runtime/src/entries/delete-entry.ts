/** Plans the deletion of an entry, which is returned as it was. */
import type { ContentType, ContentTypes } from '../contract/content-type.ts';
import { NotFoundError } from '../contract/errors.ts';
import type { Transaction, WritePlan } from '../database/write-plan.ts';
import { deleteRows, sql } from '../database/sql.ts';
import { otherRowOf, passOnLinks } from '../content/localization/pass-on-links.ts';
import type { Reach } from '../content/relations/reach.ts';
import { lostRelations } from '../content/relations/referrers.ts';
import type { Caller } from '../contract/policy/caller.ts';
import { incrementVersionsOfReferrers } from '../content/relations/referrer-versions.ts';
import type { Preconditions } from '../query/entry-request.ts';
import type { ReadEntry } from '../query/version-tag.ts';
import { hasVersionPrecondition, versionCondition } from './preconditions.ts';
import { StaleEntryError } from './stale-entry.ts';
import type { CheckedQuery, Reader } from '../query/reader.ts';

/**
 * Throws NotFoundError if the entry does not exist. Executing the plan throws it, too, if the entry was deleted in the meantime. If
 * versions are `expected`, it throws StaleEntryError instead, and also if the entry has another version. `all` are the ids of all
 * entries that the request deletes.
 * Throws ForbiddenError if other entries refer to it that the caller may not update.
 */
export async function planDelete(
  tx: Transaction,
  { reader, types, type }: { readonly reader: Reader; readonly types: ContentTypes; readonly type: ContentType },
  id: number,
  {
    checked,
    expected,
    caller,
    reach,
    all = [id],
  }: {
    readonly checked: CheckedQuery;
    readonly caller: Caller;
    readonly reach: Reach;
    readonly expected?: Preconditions | undefined;
    readonly all?: readonly number[] | undefined;
  },
): Promise<WritePlan<ReadEntry>> {
  const entry = await reader.findEntry(tx, checked, id);
  if (entry === undefined) throw new NotFoundError();
  // Foreign keys remove it from all lists.
  const row = sql`id = ${id}${versionCondition(tx.dialect, expected)}`;
  const remove = deleteRows(tx.dialect.id(type.table), row);
  const noRowError = () => (hasVersionPrecondition(expected) ? new StaleEntryError() : new NotFoundError());
  const links = passOnLinks(types, type, id, all);
  const staysAsEntry = async (): Promise<boolean> =>
    type.localized && (await otherRowOf(tx, type, id, all)) !== undefined;
  const lost = await lostRelations(tx, { types, type, id, all, staysAsEntry }, { caller, reach });
  const consequences = await reach.changed(tx, lost);
  return {
    subjects: [{ action: 'delete', type: type.uid, id }],
    steps: [
      ...incrementVersionsOfReferrers(tx.dialect, types, type, id),
      ...links.before,
      { sql: remove, returns: 'nothing', noRowError },
      ...links.after,
      ...consequences,
    ],
    answer: () => entry,
  };
}
