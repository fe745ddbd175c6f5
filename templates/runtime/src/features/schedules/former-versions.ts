/** What was published before a release, and how it becomes current again. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { publishedState } from '../../content/publication/state-copy.ts';
import { passOnClaims } from '../../content/publication/publish.ts';
import { shareAll } from '../../content/localization/share-attributes.ts';
import { releaseAllClaims } from '../../content/localization/claims.ts';
import { type CapturedTable, captureRows, referencesTo } from '../../content/stored-rows/captured-rows.ts';
import { incrementVersionsOfReferrers } from '../../content/relations/referrer-versions.ts';
import { planRestoration } from '../../content/stored-rows/restore-rows.ts';
import { publishedTables } from '../../content/stored-rows/stored-tables.ts';
import { isUniqueKey } from '../../content/stored-rows/unique-keys.ts';
import type { TransferTable } from '../../contract/content-transfer.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, join, raw, sql } from '../../database/sql.ts';
import { statement, type Statement, type Step, type Transaction } from '../../database/write-plan.ts';
import { rowsWhere, touching, VERSION_COLUMN, versionIncrement } from '../../write/version.ts';
import { scheduledType } from './publish-row.ts';
import type { ReleaseItem } from './release-rows.ts';

/** The entries of a type as they were published. */
interface FormerEntries {
  readonly type: string;
  readonly ids: readonly number[];
  readonly tables: readonly CapturedTable[];
  /** The versions that the release has published: id and version, none of what it has taken back. */
  readonly published?: readonly (readonly [id: number, version: number])[];
}

export type Former = readonly FormerEntries[];

const known = new WeakMap<ContentTypes, readonly TransferTable[]>();

function tablesOf(types: ContentTypes): readonly TransferTable[] {
  const tables = known.get(types) ?? publishedTables(types);
  known.set(types, tables);
  return tables;
}

function idsByType(items: readonly ReleaseItem[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { type, id } of items) found.set(type, [...(found.get(type) ?? []), id]);
  return found;
}

/** Before the items are published. */
export async function captureFormer(
  executor: Executor,
  types: ContentTypes,
  items: readonly ReleaseItem[],
): Promise<Former> {
  const former: FormerEntries[] = [];
  for (const [uid, ids] of idsByType(items)) {
    const { table } = scheduledType(types, uid);
    former.push({ type: uid, ids, tables: await captureRows(executor, tablesOf(types), { table, ids }) });
  }
  return former;
}

export async function publishedVersions(
  executor: Executor,
  types: ContentTypes,
  { type: uid, ids }: Pick<FormerEntries, 'type' | 'ids'>,
): Promise<readonly (readonly [number, number])[]> {
  const { dialect } = executor;
  const { published } = scheduledType(types, uid);
  if (!published) return [];
  const version = dialect.id(VERSION_COLUMN);
  const rows = await executor.all(
    sql`SELECT id, ${version} AS version FROM ${dialect.id(published.table)} WHERE ${dialect.isOneOf(raw('id'), ids)} ORDER BY id`,
  );
  return rows.map((row) => [Number(row['id']), Number(row['version'])] as const);
}

/** After the items are published. */
export async function withVersions(executor: Executor, types: ContentTypes, former: Former): Promise<Former> {
  return Promise.all(former.map(async (one) => ({ ...one, published: await publishedVersions(executor, types, one) })));
}

/** The statements that remove what is published of the entries, from whichever side it is stored. */
function removal(
  tx: Executor,
  tables: readonly TransferTable[],
  { table: own }: ContentType,
  ids: readonly number[],
): readonly Statement[] {
  const { id, isOneOf } = tx.dialect;
  return tables.flatMap((one) => {
    const keys = referencesTo(one, own);
    if (keys.length === 0) return [];
    if (!one.entries) {
      const refers = keys.map(({ name }) => isOneOf(id(name), ids));
      return [statement(deleteRows(id(one.name), sql`(${join(refers, ' OR ')})`))];
    }
    return keys.map(({ name }) =>
      name === 'id'
        ? statement(deleteRows(id(one.name), isOneOf(raw('id'), ids)))
        : touching(
            sql`UPDATE ${id(one.name)} SET ${id(name)} = NULL, ${versionIncrement(tx.dialect)} WHERE ${isOneOf(id(name), ids)}`,
            { table: one.name, ids: rowsWhere(tx.dialect, one.name, isOneOf(id(name), ids)) },
          ),
    );
  });
}

/** The documents of localized entries: their published rows claim the unique values that their locales share. */
async function documentsOf(tx: Executor, { table }: ContentType, ids: readonly number[]): Promise<readonly string[]> {
  const { id, isOneOf } = tx.dialect;
  const rows = await tx.all(
    sql`SELECT DISTINCT document_id FROM ${id(table)} WHERE ${isOneOf(raw('id'), ids)} ORDER BY document_id`,
  );
  return rows.map((row) => String(row[COLUMN_NAMES.documentId]));
}

async function localizedSteps(
  tx: Executor,
  types: ContentTypes,
  type: ContentType,
  ids: readonly number[],
): Promise<readonly Step[]> {
  if (!type.localized) return [];
  const state = publishedState({ types, type });
  const documents = await documentsOf(tx, type, ids);
  return [
    ...ids.flatMap((id) => shareAll(state, id)),
    ...documents.flatMap((document) => releaseAllClaims(tx.dialect, state.type, document)),
    ...documents.flatMap((document) => passOnClaims(tx.dialect, { types, type }, document)),
  ];
}

/** The steps that put the former versions in the place of what was removed. */
async function restorationSteps(
  tx: Transaction,
  types: ContentTypes,
  { type: uid, ids, tables: captured }: FormerEntries,
): Promise<readonly Step[]> {
  const type = scheduledType(types, uid);
  const { table, published } = type;
  const { id, isOneOf } = tx.dialect;
  if (!published) return [];
  const tables = tablesOf(types);
  const restored = await planRestoration(tx, tables, captured, { table, ids, isUnique: isUniqueKey(types) });
  const time = sql`(SELECT p.published_at FROM ${id(published.table)} AS p WHERE p.id = ${id(table)}.id)`;
  const drafts = sql`UPDATE ${id(table)} SET published_at = ${time}, ${versionIncrement(tx.dialect)} WHERE ${isOneOf(raw('id'), ids)}`;
  return [...restored.steps, ...(await localizedSteps(tx, types, type, ids)), touching(drafts, { table, ids })];
}

/** The steps that make the former versions current again. */
export function revertSteps(types: ContentTypes, entries: FormerEntries): readonly Step[] {
  const referrers: Step = async ({ dialect }) =>
    entries.ids.flatMap((id) => incrementVersionsOfReferrers(dialect, types, scheduledType(types, entries.type), id));
  return [
    referrers,
    async (tx) => removal(tx, tablesOf(types), scheduledType(types, entries.type), entries.ids),
    (tx) => restorationSteps(tx, types, entries),
    referrers,
  ];
}
