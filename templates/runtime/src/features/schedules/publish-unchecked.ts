/**
 * Publishes the items of a release without checks and hooks, for a transaction that is rolled back: a release can be looked at before all of it
 * is ready.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { isLinkAttribute } from '../../contract/item-attributes.ts';
import { releaseAllClaims } from '../../content/localization/claims.ts';
import { planPublish, unpublishSteps } from '../../content/publication/publish.ts';
import { publishedState } from '../../content/publication/state-copy.ts';
import type { Database } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { join, raw, sql } from '../../database/sql.ts';
import { statement, type Step } from '../../database/write-plan.ts';
import { scheduledType } from './publish-row.ts';
import type { ReleaseItem } from './release-rows.ts';

/** The columns whose values no two published versions have in common. Of a combination, one is enough. */
function uniqueColumns({ attributes, unique = [] }: ContentType): readonly string[] {
  const first = new Set(unique.map(([name]) => name));
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    if (isLinkAttribute(attribute)) {
      const { storage } = attribute;
      return storage.kind === 'foreignKey' && (storage.unique || first.has(name)) ? [storage.column] : [];
    }
    const isUnique = ('unique' in attribute && attribute.unique) || first.has(name);
    return isUnique ? [attribute.column] : [];
  });
}

/** Whatever order the items are in, none of them keeps a value that another one takes. */
function freeValues({ id: name, isOneOf }: Dialect, type: ContentType, ids: readonly number[]): readonly Step[] {
  const columns = uniqueColumns(type);
  const nothing = columns.map((column) => sql`${name(column)} = NULL`);
  const which = isOneOf(raw('id'), ids);
  return columns.length === 0
    ? []
    : [statement(sql`UPDATE ${name(type.table)} SET ${join(nothing, ', ')} WHERE ${which}`)];
}

/** The steps that publish the items of one type, or take them back. */
function stepsFor(types: ContentTypes, type: ContentType, items: readonly ReleaseItem[], now: string): Step {
  const state = { types, type };
  const { type: published } = publishedState(state);
  return async (tx) => {
    const { id: name, isOneOf } = tx.dialect;
    const taken = items.filter(({ action }) => action === 'unpublish').map(({ id }) => id);
    const ids = items.filter(({ action }) => action === 'publish').map(({ id }) => id);
    const document = type.localized ? raw('d.document_id') : raw('NULL');
    const rows = await tx.all(
      sql`SELECT d.id, ${document} AS document, p.id AS published FROM ${name(type.table)} AS d LEFT JOIN ${name(published.table)} AS p ON p.id = d.id WHERE ${isOneOf(raw('d.id'), [...taken, ...ids])}`,
    );
    const known = new Map(rows.map((row) => [Number(row['id']), row]));
    const documentOf = (id: number): string | undefined =>
      type.localized ? String(known.get(id)?.['document']) : undefined;
    const there = ids.filter((id) => known.has(id));
    const time = tx.dialect.bind('datetime', now);
    const times = sql`published_at = ${time}, updated_at = ${time}`;
    const documents = [...new Set(there.map(documentOf))].filter((one) => one !== undefined);
    return [
      ...documents.flatMap((one) => releaseAllClaims(tx.dialect, published, one)),
      ...taken.flatMap((id) => unpublishSteps(tx.dialect, state, id, documentOf(id))),
      ...(there.length === 0 ? [] : freeValues(tx.dialect, published, there)),
      ...(there.length === 0
        ? []
        : [statement(sql`UPDATE ${name(type.table)} SET ${times} WHERE ${isOneOf(raw('id'), there)}`)]),
      ...there.map((id): Step => (later) => {
        const isNew = (known.get(id)?.['published'] ?? null) === null;
        return planPublish(later, state, id, { isNew, documentId: documentOf(id), changesShared: true });
      }),
    ];
  };
}

function byType(items: readonly ReleaseItem[]): ReadonlyMap<string, readonly ReleaseItem[]> {
  const found = new Map<string, readonly ReleaseItem[]>();
  for (const item of items) found.set(item.type, [...(found.get(item.type) ?? []), item]);
  return found;
}

/** Publishes the items, and takes back those to be taken back, in a transaction. Throws UniqueViolation. */
export async function publishUnchecked(
  database: Database,
  types: ContentTypes,
  items: readonly ReleaseItem[],
): Promise<void> {
  const now = new Date().toISOString();
  const steps = [...byType(items)].map(([uid, own]) => stepsFor(types, scheduledType(types, uid), own, now));
  await database.write(async () => ({ subjects: [], steps, answer: () => undefined }));
}
