/** Converts an entity of an archive to a row of this server. */
import { castInstant } from '#contract/values/cast-time.ts';
import { kindsOf } from '#contract/item-attributes.ts';
import { roleName } from '../../strapi/names.ts';
import { member, type Members, type StrapiEntity } from '../../strapi/records.ts';
import type { Cell } from '#contract/content-transfer.ts';
import { convertItems, type ItemsContext } from './convert-items.ts';
import { documentIdOf, isDocumentId } from './document-ids.ts';
import { firstLocale, isPendingDraft, keptRow, rowsOf, statesOf } from './entity-index.ts';
import { type Conversion, type Entry, isFirst, LEFT_OUT, note } from './entry-notes.ts';
import { scalarCell } from './entry-values.ts';
import { PUBLISHED } from './row-states.ts';
import { attributeOf, isSameKind, type SourceType } from './source-types.ts';
import { withStorageUrls } from './stored-names.ts';

/** Column → cell. */
export type Cells = Readonly<Record<string, Cell>>;

/** The format in which Strapi writes times. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u;

function isCanonical(value: unknown): value is string {
  if (typeof value !== 'string' || !INSTANT.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function instantOf(data: Members, name: string): string | undefined {
  const archived = member(data, name);
  if (isCanonical(archived)) return archived;
  const result = castInstant(archived);
  return result.ok ? result.value : undefined;
}

function times(entry: Entry): Record<string, Cell> {
  const { data, conversion, type } = entry;
  const [created, updated, published] = ['createdAt', 'updatedAt', 'publishedAt'].map((name) => instantOf(data, name));
  const known = created ?? updated ?? published ?? conversion.archivedAt;
  if (created === undefined || updated === undefined) {
    note(entry, 'changed', 'missing times', [created === undefined ? 'createdAt' : 'updatedAt'], `now ${known}`);
  }
  const live = type.hasDrafts ? (published ?? null) : (published ?? created ?? known);
  const own = { created_at: created ?? known, updated_at: updated ?? known };
  return type.type.draftAndPublish ? withPublished(entry, { ...own, published_at: live }) : own;
}

interface Times extends Record<string, Cell> {
  readonly updated_at: string;
  readonly published_at: string | null;
}

/** A draft that differs says when its entry was published, and has another time of change than what is published. */
function withPublished({ conversion: { index }, type, entity }: Entry, times: Times): Times {
  const kept = keptRow(index, type, entity.id) ?? entity.id;
  const { pending } = rowsOf(index, type);
  const { updated_at: updatedAt, published_at: publishedAt } = times;
  if (statesOf(index, type, entity.id) === PUBLISHED) {
    pending.set(kept, { publishedAt: publishedAt ?? updatedAt, updatedAt });
    return times;
  }
  // Unknown as long as the published row has not been read: until then, only rules are checked.
  const published = isPendingDraft(index, type, entity.id) ? pending.get(kept) : undefined;
  if (!published) return times;
  const isSame = published.updatedAt === updatedAt;
  const changed = isSame ? new Date(Date.parse(updatedAt) + 1).toISOString() : updatedAt;
  return { ...times, updated_at: changed, published_at: published.publishedAt };
}

function documentId(entry: Entry): string {
  const { conversion, type, entity, data, locale } = entry;
  const { source, index, archivedAt } = conversion;
  const archived = member(data, 'documentId');
  const own = source.major === 5 && isDocumentId(archived);
  const id = own ? archived : documentIdOf(archivedAt, type.uid, firstLocale(rowsOf(index, type), entity.id));
  if (isPendingDraft(index, type, entity.id)) return id;
  if (isFirst(conversion, `${type.type.uid} documents`, `${id}|${type.type.localized ? locale : ''}`)) return id;
  note(entry, 'changed', 'second entries of the same locale, which are separate entries now', ['locale']);
  return documentIdOf(archivedAt, `${type.uid} alone`, entity.id);
}

function systemCells(entry: Entry): Record<string, Cell> {
  const { type, locale } = entry;
  const { localized, documentIds, kind } = type.type;
  return {
    ...times(entry),
    ...(localized || documentIds ? { document_id: documentId(entry) } : {}),
    ...(localized ? { locale } : {}),
    ...(kind === 'singleType' ? { singleton: 1 } : {}),
  };
}

/** Throws LEFT_OUT for entries that the project can't hold. */
function checkSupported(entry: Entry): void {
  const { type, conversion, entity, data, locale } = entry;
  const { uid, kind, draftAndPublish, localized } = type.type;
  const leave = (what: string): never => {
    note(entry, 'left', what, []);
    throw LEFT_OUT;
  };
  if (type.hasDrafts && !draftAndPublish && (member(data, 'publishedAt') ?? null) === null) {
    leave('drafts of a type that has no drafts in this project');
  }
  if (type.isLocalized && !localized && locale !== conversion.defaultLocale) {
    leave('locales of a type that is not localized in this project');
  }
  if (localized && !conversion.source.contentTypes.locales.includes(locale)) {
    leave(`entries in the locale ${locale}, which this project does not have`);
  }
  const isFurther = kind === 'singleType' && !isPendingDraft(conversion.index, type, entity.id);
  if (isFurther && !isFirst(conversion, `${uid} single`, localized ? locale : '')) {
    leave('further entries of a single type');
  }
}

function withFileUrls(entry: Entry): Entry {
  const { files } = entry.conversion;
  if (entry.type.type.uid !== 'file' || !files) return entry;
  const { data, states } = withStorageUrls(files, entry.data);
  if ((member(data, 'focalPoint') ?? null) !== null) note(entry, 'left', 'focal points of images', ['focalPoint']);
  for (const [format, state] of states) {
    const path = format === '' ? [] : ['formats', format];
    if (state === 'missing') note(entry, 'left', 'files whose bytes are not in the archive', path);
    if (state === 'size') note(entry, 'changed', 'files whose size differs from the one in their row', path);
  }
  return { ...entry, data };
}

/** Replaces the type of a role by its name on this server, so that it matches the roles of the schema. */
function withRoleName(entry: Entry): Entry {
  const archived = member(entry.data, 'type');
  if (entry.type.type.uid !== 'user-role' || typeof archived !== 'string') return entry;
  const name = roleName(archived);
  if (name !== archived) note(entry, 'changed', 'names of roles', ['type'], `${archived} is ${name} here`);
  return { ...entry, data: { ...entry.data, type: name } };
}

function entryCells(entry: Entry): Cells {
  const { conversion, type, data, isDraft } = entry;
  const { source } = conversion;
  const cells: Record<string, Cell> = { id: keptRow(conversion.index, type, entry.entity.id) ?? entry.entity.id };
  for (const [name, attribute] of kindsOf(type.type.attributes).scalars) {
    cells[attribute.column] = scalarCell(entry, name, attribute);
  }
  const place: ItemsContext = {
    source,
    isDraft,
    note: (kind, what, path, message) => note(entry, kind, what, path, message),
    lastItem: conversion.lastItem,
  };
  for (const [name, attribute] of kindsOf(type.type.attributes).items) {
    const isKnown = attributeOf(type.type, name) && isSameKind(attribute, type.schema, name);
    const items = isKnown ? convertItems(place, attribute, member(data, name), [name]) : null;
    cells[attribute.column] = items === null ? null : JSON.stringify(items);
  }
  conversion.lastItem = place.lastItem;
  return { ...cells, ...systemCells(entry) };
}

/** The row of an entity; undefined if it is left out. */
export function convertEntry(conversion: Conversion, type: SourceType, entity: StrapiEntity): Cells | undefined {
  const { data } = entity;
  const archived = member(data, 'locale');
  const entry: Entry = {
    conversion,
    type,
    entity,
    data,
    isDraft: type.hasDrafts && (member(data, 'publishedAt') ?? null) === null,
    locale: type.isLocalized && typeof archived === 'string' ? archived : conversion.defaultLocale,
  };
  try {
    checkSupported(entry);
    return entryCells(withRoleName(withFileUrls(entry)));
  } catch (thrown) {
    if (thrown === LEFT_OUT) return undefined;
    throw thrown;
  }
}
