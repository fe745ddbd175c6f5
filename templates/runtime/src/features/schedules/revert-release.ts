/** Makes what was published before a release current again, in one transaction, where nobody has changed it since. */
import type { ContentType } from '../../contract/content-type.ts';
import { ConflictError, NotFoundError } from '../../contract/errors.ts';
import { sql } from '../../database/sql.ts';
import { runWrite } from '../../entries/run-write.ts';
import type { CallsInTransaction } from '../../http/feature.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { changedLinks } from './former-links.ts';
import { type Former, linksNow, publishedVersions, revertSteps, writtenIds } from './former-versions.ts';
import { lostStorage } from './lost-storage.ts';
import { changedMeanwhile, RefusedReleaseError, type ReleaseHost } from './publish-release.ts';
import { scheduledType } from './publish-row.ts';
import { explained } from './refusal.ts';
import { type ItemRefusal, RELEASE_STATE, type ReleaseRow, releaseSubject, table } from './release-rows.ts';

const CHANGED = 'It has been published or taken back since';

const CONNECTED = 'Something has been connected to it, or to something else, since';

function migrated(what: string): string {
  return `A migration has renamed, removed or added ${what} since: change the entry and publish it instead`;
}

/** The rows that are published in another version than then, or not any more. */
function changedRows(entries: Former[number], published: Former[number]['published']): readonly number[] {
  const [then, now] = [new Map(entries.published), new Map(published)];
  return writtenIds(entries).filter((id) => then.get(id) !== now.get(id));
}

/** The items that somebody has changed since. */
async function changedSince(
  { database }: CallsInTransaction,
  { publishing: { types } }: ReleaseHost,
  { items }: ReleaseRow,
  former: Former,
): Promise<readonly ItemRefusal[]> {
  const refusals = new Map<number, ItemRefusal>();
  for (const entries of former) {
    const entryOf = new Map(entries.locales);
    const itemOf = (id: number): number =>
      items.findIndex((one) => one.type === entries.type && one.id === (entryOf.get(id) ?? id));
    const lost = lostStorage(types, scheduledType(types, entries.type), entries);
    if (lost !== undefined) {
      for (const id of entries.ids) refusals.set(itemOf(id), { item: itemOf(id), message: migrated(lost) });
      continue;
    }
    const links = changedLinks(entries.links ?? [], await linksNow(database, types, entries));
    for (const [, to] of links) {
      const known = writtenIds(entries).find((id) => id === to) ?? entries.ids[0] ?? 0;
      refusals.set(itemOf(known), { item: itemOf(known), message: CONNECTED });
    }
    const changed = changedRows(entries, await publishedVersions(database, types, entries));
    for (const id of changed) refusals.set(itemOf(id), { item: itemOf(id), message: CHANGED });
  }
  return [...refusals.values()].toSorted((a, b) => a.item - b.item);
}

/** What becomes of an entry in the eyes of visitors. */
function publicationOf(type: ContentType, { tables }: Former[number], id: number): 'publish' | 'unpublish' {
  const rows = tables.find(({ table: name, fills }) => name === type.published?.table && !fills);
  const at = rows?.columns.indexOf('id') ?? 0;
  return rows?.rows.some((row) => row[at] === id) ? 'publish' : 'unpublish';
}

async function revertType(
  { hooked }: CallsInTransaction,
  { publishing: { types } }: ReleaseHost,
  entries: Former[number],
  call: CallContext,
): Promise<void> {
  const type = scheduledType(types, entries.type);
  await runWrite(hooked(type), { call }, async (tx, run) => {
    const hooks = entries.ids.map((id) => ({ id, hooks: run.hooks('afterUpdate', {}) }));
    return {
      subjects: entries.ids.map((id) => ({
        action: 'update' as const,
        type: type.uid,
        id,
        publication: publicationOf(type, entries, id),
      })),
      steps: [
        ...hooks.flatMap(({ id, hooks: { before } }) => before(id)),
        ...revertSteps(types, entries),
        ...hooks.flatMap(({ id, hooks: { after } }) => after(id)),
      ],
      answer: () => undefined,
    };
  });
}

async function lockEntries({ database }: CallsInTransaction, host: ReleaseHost, former: Former): Promise<void> {
  const { dialect } = database;
  if (dialect.rowLock.text === '') return;
  for (const entries of former) {
    const name = dialect.id(scheduledType(host.publishing.types, entries.type).table);
    await database.all(
      sql`SELECT t.id FROM ${name} AS t WHERE ${dialect.isOneOf(sql`t.id`, writtenIds(entries))} ORDER BY t.id${dialect.rowLock}`,
    );
  }
}

/** Throws ConflictError if the release is not published, and RefusedReleaseError that names the items which have changed since. */
export async function revertRelease(host: ReleaseHost, release: ReleaseRow, call: CallContext): Promise<void> {
  if (release.state !== 'published') throw new ConflictError('Only a published release can be reverted');
  const { types } = host.publishing;
  try {
    await host.inTransaction(async (inside) => {
      const { database } = inside;
      const row = await database.get(sql`SELECT former FROM ${table} WHERE id = ${release.id}`);
      if (!row) throw new NotFoundError();
      const former = JSON.parse(String(row['former'] ?? '[]')) as Former;
      const { changes } = await database.run(
        sql`UPDATE ${table} SET state = ${RELEASE_STATE.reverted}, former = NULL, version = version + 1 WHERE id = ${release.id} AND state = ${RELEASE_STATE.published}`,
      );
      if (changes === 0) throw changedMeanwhile();
      await lockEntries(inside, host, former);
      const refusals = await changedSince(inside, host, release, former);
      if (refusals.length > 0) {
        const message = `Nothing of the release was reverted: ${refusals.length} of its ${release.items.length} items were changed since`;
        throw new RefusedReleaseError(message, refusals);
      }
      for (const entries of former) await revertType(inside, host, entries, call);
      const subjects = [releaseSubject('release.revert', release)];
      await database.write(async () => ({ subjects, by: call, steps: [], answer: () => undefined }));
    });
  } catch (error) {
    for (const uid of new Set(release.items.map(({ type }) => type))) {
      const told = explained(error, types, types.types[uid]);
      if (told !== error) throw told;
    }
    throw error;
  }
}
