/**
 * What an import must know about all entities before it writes any: which rows are kept, which rows are locales of the same entry, and
 * which row each component item belongs to. Kept in compact maps, since an archive may have millions of rows.
 */
import { isScalarAttribute } from '#contract/item-attributes.ts';
import type { StrapiArchive } from '../../strapi/open-archive.ts';
import { locationText } from '../../strapi/lines.ts';
import { member, type StrapiEntity } from '../../strapi/records.ts';
import { itemId, itemsIn } from './component-items.ts';
import type { Findings } from '../findings.ts';
import { isExcludedType } from './match-schemas.ts';
import { addHash, createNumberMap, hashText, type NumberMap } from '../number-map.ts';
import { BOTH, DRAFT, PUBLISHED } from './row-states.ts';
import { attributeOf, type SourceComponent, type SourceType, type SourceTypes } from './source-types.ts';

/** Which of the two rows of a document is kept if they differ, in a type that has no drafts here. */
export type Preference = 'published' | 'draft';

/** The draft and published rows of documents. */
interface Versions {
  /** Hash of document and locale → row + 1, since 0 means no row. */
  readonly drafts: NumberMap;
  readonly published: NumberMap;
  /** Row → hash of its content, including links. */
  readonly digests: NumberMap;
}

/** When a version was published, and changed last. */
export interface PublishedTimes {
  readonly publishedAt: string;
  readonly updatedAt: string;
}

/** The rows of one type. */
export interface TypeRows {
  /** Row → hash of document and locale; in version 4, the row itself. */
  readonly documents: NumberMap;
  /** Row → the row that is kept for it, and whose id the entry has. */
  readonly kept: NumberMap;
  /** Row → the states in which it is written. */
  readonly states: NumberMap;
  /** In version 5: the kept row of a document whose draft differs → the times of what is published. */
  readonly pending: Map<number, PublishedTimes>;
  /** In version 4: row → another row of the same entry (union-find). */
  readonly parents: NumberMap;
  readonly versions: Versions;
  /** Rows that occur twice in the archive. */
  readonly doubles: Set<number>;
  count: number;
}

export interface EntityIndex {
  readonly rows: readonly TypeRows[];
  /** Component item → its owner, as index of the type × ROW_LIMIT + row. */
  readonly owners: NumberMap;
}

/** Row ids are below this number, by which the type index is multiplied to combine both in one number. */
const ROW_LIMIT = 2 ** 40;

export function rowsOf({ rows }: EntityIndex, { index }: Pick<SourceType, 'index'>): TypeRows {
  const found = rows[index];
  if (!found) throw new Error(`No rows of the type ${index}`);
  return found;
}

/** The row that is kept in place of a row of the archive; undefined if there is none. */
export function keptRow(index: EntityIndex, type: SourceType, id: number): number | undefined {
  const { kept } = rowsOf(index, type);
  const row = kept.get(id);
  return row !== undefined && kept.get(row) === row ? row : undefined;
}

/** The states in which a row of the archive is written; 0 if it is left out, or if another one stands for it. */
export function statesOf(index: EntityIndex, type: SourceType, id: number): number {
  return keptRow(index, type, id) === undefined ? 0 : (rowsOf(index, type).states.get(id) ?? 0);
}

/** Whether a row is a draft that differs from what is published: it is written under the id of the published row. */
export function isPendingDraft(index: EntityIndex, type: SourceType, id: number): boolean {
  return statesOf(index, type, id) === DRAFT && keptRow(index, type, id) !== id;
}

/** Leaves out the entry that a row belongs to; links to it become dangling. */
export function leaveOut(index: EntityIndex, type: SourceType, row: number): void {
  const { kept } = rowsOf(index, type);
  kept.delete(kept.get(row) ?? row);
}

/** The entity that contains a component item; undefined for an orphan. */
export function ownerOf(
  source: SourceTypes,
  { owners }: EntityIndex,
  component: SourceComponent,
  id: number,
): { readonly type: number; readonly row: number } | undefined {
  const owner = owners.get(itemId(source, component, id));
  return owner === undefined ? undefined : { type: Math.floor(owner / ROW_LIMIT), row: owner % ROW_LIMIT };
}

function emptyRows(): TypeRows {
  const map = createNumberMap;
  return {
    documents: map(),
    kept: map(),
    states: map(),
    pending: new Map(),
    parents: map(),
    versions: { drafts: map(), published: map(), digests: map() },
    doubles: new Set(),
    count: 0,
  };
}

/** Whether each document of a type has two rows: a draft and a published version. */
export function hasVersions({ major }: SourceTypes, type: SourceType): boolean {
  return major === 5 && type.hasDrafts;
}

function localeOf({ isLocalized }: SourceType, { data }: StrapiEntity): string {
  const locale = member(data, 'locale');
  return isLocalized && typeof locale === 'string' ? locale : '';
}

/** A hash of a row's content, without ids and times, for comparing two versions. */
function digestOf({ type }: SourceType, { data }: StrapiEntity): number {
  const names = Object.entries(type.attributes).filter(([name]) => attributeOf(type, name));
  const values = names.map(([name, attribute]) => {
    const value = member(data, name) ?? null;
    return isScalarAttribute(attribute) ? value : withoutIds(value);
  });
  return hashText(JSON.stringify(values));
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === 'id' ? [] : [[key, withoutIds(inner)]])),
  );
}

function isUnpublished({ hasDrafts }: SourceType, { data }: StrapiEntity): boolean {
  return hasDrafts && (member(data, 'publishedAt') ?? null) === null;
}

function addVersion(source: SourceTypes, type: SourceType, rows: TypeRows, entity: StrapiEntity): void {
  const documentId = member(entity.data, 'documentId');
  const document = hashText(`${typeof documentId === 'string' ? documentId : entity.id}|${localeOf(type, entity)}`);
  rows.documents.set(entity.id, document);
  if (!hasVersions(source, type)) return;
  const isDraft = isUnpublished(type, entity);
  const { drafts, published, digests } = rows.versions;
  const known = isDraft ? drafts : published;
  // If there are two drafts, or two published rows, the first is the document's; the other becomes a separate entry.
  if (known.get(document) === undefined) known.set(document, entity.id + 1);
  else rows.documents.set(entity.id, hashText(`${document}|${entity.id}`));
  digests.set(entity.id, digestOf(type, entity));
}

function addItems(source: SourceTypes, index: EntityIndex, type: SourceType, entity: StrapiEntity): void {
  for (const { component, id } of itemsIn(source, type.type, type.schema, entity.data)) {
    if (component.hasLinks) index.owners.set(itemId(source, component, id), type.index * ROW_LIMIT + entity.id);
  }
}

/** Reads all entities; calls `onEntity` for each. */
export async function indexEntities(
  archive: StrapiArchive,
  source: SourceTypes,
  findings: Findings,
  onEntity: () => void,
): Promise<EntityIndex> {
  const index: EntityIndex = { rows: [...source.types.values()].map(emptyRows), owners: createNumberMap() };
  for await (const item of archive.read(['entity'])) {
    onEntity();
    if (item.kind !== 'entity') continue;
    const { entity, at } = item;
    const type = source.types.get(entity.type);
    if (!type) {
      if (!isExcludedType(entity.type)) {
        findings.add('left', `entries of ${entity.type}, which this project does not have`, locationText(at));
      }
      continue;
    }
    const rows = rowsOf(index, type);
    if (rows.documents.get(entity.id) !== undefined) {
      rows.doubles.add(entity.id);
      findings.add(
        'nothing',
        'entries that occur twice in the archive',
        `${entity.type} ${entity.id} (${locationText(at)})`,
      );
      continue;
    }
    rows.count += 1;
    rows.states.set(entity.id, isUnpublished(type, entity) && type.type.draftAndPublish ? DRAFT : BOTH);
    if (source.major === 5) addVersion(source, type, rows, entity);
    else rows.documents.set(entity.id, entity.id);
    addItems(source, index, type, entity);
  }
  return index;
}

/** Adds a link, as text, to the digest of the row that has it. */
export function addToDigest(rows: TypeRows, row: number, text: string): void {
  const digest = rows.versions.digests.get(row);
  if (digest !== undefined) rows.versions.digests.set(row, addHash(digest, hashText(text)));
}

/** Records that two rows of version 4 are locales of the same entry. */
export function joinLocales(rows: TypeRows, one: number, other: number): void {
  const [a, b] = [firstLocale(rows, one), firstLocale(rows, other)];
  if (a !== b) rows.parents.set(Math.max(a, b), Math.min(a, b));
}

/** The smallest row id among the locales of an entry, which identifies the entry. */
export function firstLocale({ parents }: TypeRows, row: number): number {
  let first = row;
  for (let parent = parents.get(first); parent !== undefined; parent = parents.get(first)) first = parent;
  if (first !== row) parents.set(row, first);
  return first;
}

/**
 * Chooses the rows that are kept, and the states in which they are written. Calls `onPending` for documents of types without drafts
 * here whose draft differs from the published version.
 */
export function chooseRows(
  source: SourceTypes,
  index: EntityIndex,
  prefer: Preference,
  onPending: (type: SourceType, draft: number, published: number) => void,
): void {
  for (const type of source.types.values()) {
    const rows = rowsOf(index, type);
    const { drafts, published, digests } = rows.versions;
    const chosen = (row: number, document: number): number => {
      const [draft, live] = [drafts.get(document), published.get(document)];
      if (draft === undefined || live === undefined) return row;
      const differs = digests.get(draft - 1) !== digests.get(live - 1);
      if (type.type.draftAndPublish) {
        rows.states.set(draft - 1, differs ? DRAFT : 0);
        rows.states.set(live - 1, differs ? PUBLISHED : BOTH);
        return live - 1;
      }
      if (differs && row === draft - 1) onPending(type, draft - 1, live - 1);
      return differs && prefer === 'draft' ? draft - 1 : live - 1;
    };
    for (const [row, document] of rows.documents.entries()) {
      const kept = hasVersions(source, type) ? chosen(row, document) : row;
      rows.kept.set(row, kept);
      if (kept !== row && !type.type.draftAndPublish) rows.states.set(row, 0);
    }
    // Only `kept` is needed from here on: frees the memory of the others.
    for (const map of [rows.documents, drafts, published, digests]) map.clear();
  }
}
