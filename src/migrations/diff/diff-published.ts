/** Published versions of entries that exist already: the tables of a type that has drafts, or that now keeps published versions beside them. */
import { COLUMN_NAMES } from '#contract/column-names.ts';
import { claimedColumn } from '../../storage/claim-column.ts';
import { isPublishedLabel, schemaName } from '../../storage/published-layout.ts';
import type { Table } from '../../storage/storage-model.ts';
import { hasGeneratedId, isTypeTable, labelOfTable, typeTable, uidOf } from '../../storage/table-origin.ts';
import { causeOf, type DiffContext } from './diff-context.ts';
import type { TableDiff } from './table-diff.ts';

/** The table of the drafts whose published versions are in a table. */
function draftsOf({ after }: DiffContext, table: Table): Table | undefined {
  return after.tables.find((one) => one !== table && labelOfTable(one) === schemaName(labelOfTable(table)));
}

/** Whether a new table gets what there is, instead of what is copied from relations that change. */
function isFilled({ after, tables }: DiffContext, table: Table, drafts: Table): boolean {
  const isNew = (one: Table): boolean => tables.added.includes(one);
  const versions = typeTable(after, uidOf(table) ?? '');
  const entries = typeTable(after, schemaName(uidOf(table) ?? ''));
  return versions ? isNew(versions) && entries !== undefined && !isNew(entries) : !isNew(drafts);
}

function fillTable(context: DiffContext, table: Table): void {
  const drafts = draftsOf(context, table);
  if (!drafts || !isFilled(context, table, drafts)) return;
  const cause = causeOf(table);
  const isClaim = (name: string): boolean => isTypeTable(table) && claimedColumn(table, name) !== undefined;
  const isOwnId = (name: string): boolean => hasGeneratedId(table) && name === COLUMN_NAMES.id;
  const names = table.columns.map(({ name }) => name).filter((name) => !isClaim(name) && !isOwnId(name));
  const published = isTypeTable(table) ? { published: true as const } : {};
  const copy = { kind: 'copyRows', table: table.name, from: drafts.name, columns: names, ...published, cause } as const;
  context.draft.add('publish', copy);
  for (const { name: claim } of table.columns.filter(({ name }) => isClaim(name))) {
    const column = claimedColumn(table, claim)?.name ?? '';
    context.draft.add('publish', { kind: 'claimValues', table: table.name, column, claim, cause });
  }
}

/** Published versions have the document ids of their drafts. */
function copyDocumentIds(context: DiffContext, { tables: { after }, columns }: TableDiff): void {
  const drafts = draftsOf(context, after);
  const added = columns.added.find(({ role }) => role === 'documentId');
  if (!isTypeTable(after) || !isPublishedLabel(after.uid) || !drafts || !added) return;
  const { name: table } = after;
  context.draft.add('data', {
    kind: 'copyColumn',
    table,
    from: drafts.name,
    column: added.name,
    cause: causeOf(after),
  });
}

export function diffPublished(context: DiffContext, diffs: readonly TableDiff[]): void {
  for (const table of context.after.tables) {
    const isPublished = isPublishedLabel(uidOf(table) ?? '');
    if (isPublished && context.tables.added.includes(table)) fillTable(context, table);
  }
  for (const diff of diffs) copyDocumentIds(context, diff);
}
