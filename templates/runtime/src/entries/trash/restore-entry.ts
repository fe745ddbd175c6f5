/** Restores a deleted entry with the same ids, in both states, with its relations where they were, from whichever side they are owned. */
import type { ContentType } from '../../contract/content-type.ts';
import type { Cell } from '../../contract/content-transfer.ts';
import { type Issue, NotFoundError, ValidationError } from '../../contract/errors.ts';
import { kindsOf } from '../../contract/item-attributes.ts';
import { claimByFirst, releaseAllClaims } from '../../content/localization/claims.ts';
import { moveToFirstRow } from '../../content/localization/pass-on-links.ts';
import { shareAll } from '../../content/localization/share-attributes.ts';
import { publishedState } from '../../content/publication/state-copy.ts';
import { incrementVersionsOfReferrers } from '../../content/relations/referrer-versions.ts';
import { type LostRequired, planRestoration } from '../../content/stored-rows/restore-rows.ts';
import { isUniqueKey } from '../../content/stored-rows/unique-keys.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import type { Statement, Step, Transaction } from '../../database/write-plan.ts';
import type { HookedType } from '../context.ts';
import { runWrite } from '../run-write.ts';
import { takenAttributes, takenInFor } from '../unique.ts';
import { answeredPlan } from '../write-entry.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import type { ReadEntry } from '../../query/version-tag.ts';
import { explainedPlace, requirePlace } from './taken-place.ts';
import { table, type TrashContent, type TrashRow } from './trash-rows.ts';
import { tablesOf } from './trash-steps.ts';

type State = Pick<HookedType, 'types' | 'type'>;

/** The values of a stored row, by attribute. */
interface StoredRow {
  readonly values: Readonly<Record<string, unknown>>;
  readonly locale: string | undefined;
}

function storedRows({ type }: State, { tables }: TrashContent, name: string): readonly StoredRow[] {
  const rows = tables.find((one) => one.table === name && !one.fills);
  if (!rows) return [];
  const cellOf = (row: readonly Cell[], column: string): Cell => row[rows.columns.indexOf(column)] ?? null;
  return rows.rows.map((row) => ({
    values: Object.fromEntries(
      kindsOf(type.attributes).scalars.map(([attribute, { column }]) => [attribute, cellOf(row, column)]),
    ),
    locale: type.localized ? String(cellOf(row, 'locale')) : undefined,
  }));
}

/** Throws ValidationError that names the unique values which other entries have by now. */
async function requireFree(tx: Executor, state: State, row: TrashRow, content: TrashContent, request: EntryRequest) {
  const { type } = state;
  const found = new Map<string, Issue>();
  const check = async (name: string, where: ReturnType<typeof takenInFor>): Promise<void> => {
    for (const { values, locale } of storedRows(state, content, name)) {
      const self = {
        ...(locale !== undefined && { locale }),
        ...(row.documentId !== undefined && { documentId: row.documentId }),
      };
      for (const issue of await takenAttributes(tx, type, values, self, where)) found.set(issue.path.join('.'), issue);
    }
  };
  if (type.published) {
    await check(type.published.table, 'published');
    await check(type.table, takenInFor(request, true));
  } else await check(type.table, 'published');
  if (found.size > 0) throw new ValidationError([...found.values()]);
}

/** Throws ValidationError that names the required relations to entries that are gone. */
function requireTargets({ type }: State, lost: readonly LostRequired[]): void {
  if (lost.length === 0) return;
  const issues = lost.map(({ column }): Issue => {
    const [name = column] =
      kindsOf(type.attributes).links.find(
        ([, { storage }]) => storage.kind === 'foreignKey' && storage.column === column,
      ) ?? [];
    return { path: [name], message: `${name} is required, and the entry that it referred to is gone` };
  });
  throw new ValidationError(issues);
}

/** The first of the locales that the entry has beside those that were deleted. */
async function siblingOf(
  tx: Executor,
  { table: name, localized }: ContentType,
  documentId: string | undefined,
  ids: readonly number[],
): Promise<number | undefined> {
  if (!localized || documentId === undefined) return undefined;
  const { id, isOneOf } = tx.dialect;
  const row = await tx.get(
    sql`SELECT MIN(id) AS first FROM ${id(name)} WHERE document_id = ${documentId} AND NOT (${isOneOf(raw('id'), ids)})`,
  );
  const first = row?.['first'] ?? null;
  return first === null ? undefined : Number(first);
}

/** The steps that make the locales of an entry agree again. */
async function localizedSteps(
  tx: Executor,
  state: State,
  { documentId }: TrashRow,
  { ids }: TrashContent,
): Promise<readonly Step[]> {
  if (!state.type.localized || documentId === undefined) return [];
  const published = publishedState(state);
  const first = Math.min(...ids);
  const [sibling, shown] = [
    await siblingOf(tx, state.type, documentId, ids),
    state.type.published && (await siblingOf(tx, published.type, documentId, ids)),
  ];
  return [
    ...(sibling !== undefined && first < sibling
      ? [(later: Transaction) => moveToFirstRow(later, state.types, state.type, { id: sibling, heir: first })]
      : []),
    ...(sibling === undefined ? [] : shareAll(state, sibling)),
    ...(shown === undefined ? [] : shareAll(published, shown)),
    ...[state, ...(state.type.published ? [published] : [])].flatMap(({ type }) => [
      ...releaseAllClaims(tx.dialect, type, documentId),
      ...claimByFirst(tx.dialect, type, documentId),
    ]),
  ];
}

async function restoration(
  tx: Transaction,
  state: State,
  row: TrashRow,
  content: TrashContent,
): Promise<readonly Step[]> {
  const { types, type } = state;
  const { steps, lost } = await planRestoration(tx, tablesOf(types), content.tables, {
    table: type.table,
    ids: content.ids,
    isUnique: isUniqueKey(types),
  });
  requireTargets(state, lost);
  const referrers = content.ids.flatMap((id) => incrementVersionsOfReferrers(tx.dialect, types, type, id));
  return [...steps, ...(await localizedSteps(tx, state, row, content)), ...referrers];
}

/** Plans what comes back with an entry whose rows are restored. */
export type ComesBack = (tx: Transaction, entry: { readonly id: number }) => Promise<readonly Step[]>;

/**
 * Throws ValidationError for what keeps the entry from coming back, and NotFoundError if somebody has restored it meanwhile. `further`
 * plans what else comes back with it.
 */
export async function restoreEntry(
  context: HookedType,
  { row, content }: { readonly row: TrashRow; readonly content: TrashContent },
  request: EntryRequest,
  further?: ComesBack,
): Promise<ReadEntry> {
  const { database, reader, type, types } = context;
  const checked = await reader.check(type, request);
  const [first = row.id] = content.ids;
  const rows = storedRows({ types, type }, content, type.table);
  const [shown] = rows;
  const place = { ids: content.ids, documentId: row.documentId, locales: rows.flatMap(({ locale }) => locale ?? []) };
  const execution = { call: { ...request, key: undefined }, written: { input: shown?.values ?? {}, self: {} } };
  const restored = runWrite(context, execution, async (tx, run) => {
    await requirePlace(tx, type, place);
    await requireFree(tx, context, row, content, request);
    const taken: Statement = {
      sql: deleteRows(table, sql`id = ${row.key}`),
      returns: 'nothing',
      noRowError: () => new NotFoundError(),
    };
    const hooks = content.ids.map((id) => ({ id, hooks: run.hooks('afterCreate', { isNew: true }) }));
    const steps: readonly Step[] = [
      taken,
      (later) => restoration(later, { types, type }, row, content),
      ...(further ? [(later: Transaction) => further(later, { id: first })] : []),
      ...hooks.flatMap(({ id, hooks: { after } }) => after(id)),
    ];
    const publication = type.draftAndPublish && row.isPublished ? ({ publication: 'publish' } as const) : {};
    const subjects = content.ids.map((id) => ({ action: 'create' as const, type: type.uid, id, ...publication }));
    const subject = { action: 'create', type: type.uid, id: first } as const;
    return { ...answeredPlan({ subject, id: first, row: taken, steps }, checked.entry), subjects };
  });
  return restored.catch(async (error: unknown) => {
    throw await explainedPlace(error, { executor: database, type }, place);
  });
}
