/** Publishes a release, in one transaction that also settles its row: all of it, or nothing. */
import { BadRequestError, ConflictError, type HttpError } from '../../contract/errors.ts';
import { type MovedClock, nowOf } from '../../database/moved-clock.ts';
import { sql, type Sql } from '../../database/sql.ts';
import { statement } from '../../database/write-plan.ts';
import type { CallsInTransaction, InTransaction } from '../../http/feature.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { queryOf } from '../../query/query-of.ts';
import { captureFormer, type Former, withVersions } from './former-versions.ts';
import { type Publication, publishItems, type Refused } from './publish-items.ts';
import { publishEntry, type Publishing, scheduledType } from './publish-row.ts';
import { explained, refusalOf } from './refusal.ts';
import {
  type ItemRefusal,
  RELEASE_STATE,
  type ReleaseItem,
  type ReleaseRow,
  releaseSubject,
  table,
} from './release-rows.ts';

/** What publishing needs. */
export interface ReleaseHost {
  readonly publishing: Publishing;
  readonly inTransaction: InTransaction;
  readonly clock: MovedClock;
}

/** 400: items were refused, and nothing is published. */
export class RefusedReleaseError extends BadRequestError {
  readonly refusals: readonly ItemRefusal[];

  constructor(message: string, refusals: readonly ItemRefusal[]) {
    super(message);
    this.refusals = refusals;
    this.withDetails({ refusals });
  }
}

export function refusalsOf(refused: Refused): readonly ItemRefusal[] {
  return [...refused].map(([item, error]) => ({ item, ...refusalOf(error) })).sort((a, b) => a.item - b.item);
}

type PublishItem = Publication['publish'];

/** By the routes of the entries, with the rights, rules and policies of a caller. */
export function byCaller({ publishing }: ReleaseHost, call: CallContext): PublishItem {
  const { types, format } = publishing;
  return async ({ calls }, { type: uid, id, locale, action }) => {
    const type = scheduledType(types, uid);
    const request = { caller: call.caller, requestId: call.requestId, format };
    if (type.kind === 'collectionType') {
      await calls.collection(uid).act(id, action, { ...request, query: queryOf({ fields: ['id'] }) });
      return;
    }
    const query = queryOf({ fields: ['id'], ...(locale !== undefined && { locale }) });
    await calls.single(uid).act(action, { ...request, query });
  };
}

/** By the server, once the release is due. */
export function byServer({ publishing }: ReleaseHost): PublishItem {
  return (inside, item) => publishEntry(publishing, inside, item);
}

function publicationOf(
  { publishing: { types } }: ReleaseHost,
  items: readonly ReleaseItem[],
  publish: PublishItem,
): Omit<Publication, 'begin'> {
  return { items, publish, explain: ({ type }, error) => explained(error, types, types.types[type]) };
}

/** What would refuse the release. Nothing is published. */
export async function checkItems(
  host: ReleaseHost,
  items: readonly ReleaseItem[],
  publish: PublishItem,
): Promise<readonly ItemRefusal[]> {
  const begin = async (): Promise<void> => undefined;
  return refusalsOf(await publishItems({ ...publicationOf(host, items, publish), begin }, host.inTransaction));
}

/** `where`: which row is settled, unless it has changed meanwhile. Throws RefusedReleaseError, and `gone` if there is no such row. */
export async function publishRelease(
  host: ReleaseHost,
  release: Pick<ReleaseRow, 'id' | 'name' | 'items'>,
  {
    publish,
    where,
    by,
    gone,
  }: { readonly publish: PublishItem; readonly where: Sql; readonly by?: CallContext; gone(): Error },
): Promise<void> {
  const { types } = host.publishing;
  const { id, items } = release;
  let former: Former = [];
  const refused = await publishItems(
    {
      ...publicationOf(host, items, publish),
      async begin({ database }) {
        const now = nowOf(database, host.clock);
        const { changes } = await database.run(
          sql`UPDATE ${table} SET state = ${RELEASE_STATE.published}, lease = NULL, reason = NULL, published_at = ${now}, version = version + 1 WHERE id = ${id} AND ${where}`,
        );
        if (changes === 0) throw gone();
        former = await captureFormer(database, types, items);
      },
      async settle({ database }: CallsInTransaction) {
        const text = JSON.stringify(await withVersions(database, types, former));
        const kept = statement(sql`UPDATE ${table} SET former = ${text} WHERE id = ${id}`);
        const subjects = [releaseSubject('release.publish', release)];
        await database.write(async () => ({ subjects, ...(by && { by }), steps: [kept], answer: () => undefined }));
      },
    },
    host.inTransaction,
  );
  if (refused.size > 0) {
    const message = `Nothing of the release was published: ${refused.size} of its ${items.length} items were refused`;
    throw new RefusedReleaseError(message, refusalsOf(refused));
  }
}

export function changedMeanwhile(): HttpError {
  return new ConflictError('The release has been changed or published meanwhile');
}
