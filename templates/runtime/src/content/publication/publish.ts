/** Publishes entries, takes them back, and discards what was changed since. */
import { COLUMN_NAMES as NAMES } from '../../contract/column-names.ts';
import type { Attribute } from '../../contract/content-type.ts';
import { isLinkAttribute, kindsOf } from '../../contract/item-attributes.ts';
import type { Executor } from '../../database/executor.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Step } from '../../database/write-plan.ts';
import { belongsToFirstRow, firstRowOf } from '../localization/first-rows.ts';
import { shareAll } from '../localization/share-attributes.ts';
import { replaceLinks } from './copy-links.ts';
import { copyRelation } from './copy-relation.ts';
import { addRows, removeRows, replaceRows } from './copy-row.ts';
import { publishToLocales } from './publish-locales.ts';
import { publication, publishedState, type State, type StateCopy } from './state-copy.ts';
import { requirePartners } from './taken-partners.ts';

function componentLinks(copy: StateCopy): readonly Statement[] {
  const [from, to] = [copy.from.type.componentLinks, copy.to.type.componentLinks];
  if (!from || !to) return [];
  const columns = [NAMES.item, NAMES.itemAttribute, NAMES.position, ...Object.values(from.targets)];
  return replaceLinks(copy, { from: from.table, to: to.table }, { own: NAMES.owner, columns });
}

/** The relations that links of the row itself store, or of the first row of its entry. */
function relations(copy: StateCopy, ofFirstRow: boolean): readonly Statement[] {
  const { type } = copy.from;
  return kindsOf(type.attributes).links.flatMap(([name, attribute]) =>
    belongsToFirstRow(type, attribute) === ofFirstRow ? copyRelation(copy, name, attribute) : [],
  );
}

function relationsOfFirstRow(copy: StateCopy): readonly Step[] {
  const { type } = copy.from;
  if (!kindsOf(type.attributes).links.some(([, one]) => belongsToFirstRow(type, one))) return [];
  const known = (id: number | NewId | undefined): number => (id instanceof NewId ? id.value : (id ?? 0));
  return [async (tx) => relations({ ...copy, ids: [await firstRowOf(tx, type, known(copy.ids[0]))] }, true)];
}

function copyEntry(copy: StateCopy, row: readonly Statement[]): readonly Step[] {
  return [...row, ...relations(copy, false), ...componentLinks(copy), ...relationsOfFirstRow(copy)];
}

/** What is known of an entry that is published. */
export interface Published {
  /** Whether it has no published version yet. */
  readonly isNew: boolean;
  /** The document of a localized entry. */
  readonly documentId: string | undefined;
  /** Whether the write changes attributes that all locales share. */
  readonly changesShared: boolean;
}

/** The steps that publish the draft of an entry, after it has been written. Reads only for localized types. */
export async function planPublish(
  tx: Executor,
  versioned: State,
  id: number | NewId,
  { isNew, documentId, changesShared }: Published,
): Promise<readonly Step[]> {
  const copy = publication(tx.dialect, versioned, [id]);
  const attributes = Object.values(versioned.type.attributes);
  const row = isNew ? addRows(copy, attributes) : replaceRows(copy, { attributes, isWhole: true });
  const others =
    documentId === undefined ? [] : await publishToLocales(tx, versioned, { id, documentId, changesShared });
  return [...copyEntry(copy, row), ...others];
}

/** Unique values that all locales share. */
function claimsIn(attributes: readonly Attribute[]): readonly (readonly [claim: string, column: string])[] {
  return attributes.flatMap((attribute) => {
    if (isLinkAttribute(attribute) || !('claim' in attribute) || attribute.claim === undefined) return [];
    return [[attribute.claim, attribute.column] as const];
  });
}

/** After a published version is gone: the first of those that its entry keeps claims the unique values. */
export function passOnClaims(dialect: Dialect, versioned: State, documentId: string): readonly Statement[] {
  const { type } = publishedState(versioned);
  const claims = claimsIn(Object.values(type.attributes));
  if (claims.length === 0) return [];
  const table = dialect.id(type.table);
  const first = sql`(SELECT MIN(id) AS k FROM ${table} WHERE document_id = ${documentId})`;
  const assign = Object.fromEntries(
    claims.map(([claim, column]): [string, Sql] => [claim, sql`t.${dialect.id(column)}`]),
  );
  return [statement(dialect.updateFrom(type.table, first, assign, raw('t.id = r.k')))];
}

/** The steps before and after the deletion of a row, whose published version is deleted with it. */
export function publishedClaims(
  draft: State,
  id: number,
): { readonly before: readonly Step[]; readonly after: readonly Step[] } {
  const { type } = draft;
  if (!type.draftAndPublish || claimsIn(Object.values(type.attributes)).length === 0) return { before: [], after: [] };
  let documentId: string | undefined;
  const before: Step = async (tx) => {
    const row = await tx.get(sql`SELECT document_id FROM ${tx.dialect.id(type.table)} WHERE id = ${id}`);
    documentId = row && String(row[NAMES.documentId]);
    return [];
  };
  const after: Step = async (tx) => (documentId === undefined ? [] : passOnClaims(tx.dialect, draft, documentId));
  return { before: [before], after: [after] };
}

/** The steps that take back what is published of an entry. Its draft stays. */
export function unpublishSteps(
  dialect: Dialect,
  versioned: State,
  id: number,
  documentId: string | undefined,
): readonly Step[] {
  const claims = documentId === undefined ? [] : passOnClaims(dialect, versioned, documentId);
  return [removeRows(publication(dialect, versioned, [id])), ...claims];
}

/** The steps that replace the draft of an entry by what is published. */
export function discardSteps(dialect: Dialect, versioned: State, id: number): readonly Step[] {
  const copy: StateCopy = { dialect, from: publishedState(versioned), to: versioned, ids: [id] };
  const attributes = Object.values(versioned.type.attributes);
  const row = replaceRows(copy, { attributes, isWhole: true });
  return [
    ...requirePartners(copy),
    ...copyEntry(copy, row),
    ...(versioned.type.localized ? shareAll(versioned, id) : []),
  ];
}
