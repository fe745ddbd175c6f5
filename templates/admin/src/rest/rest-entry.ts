/** Entries in the API's response format. */
import type { ContentType } from '../model/model.ts';
import type { EntryRef } from '../relations/entry-ref.ts';

export interface RestEntry {
  readonly id: number;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly meta?: { readonly availableLocales?: readonly OtherLocale[] };
}

export interface OtherLocale {
  readonly id: number;
  readonly locale: string;
  readonly publishedAt?: string | null;
}

/** Id and attributes in one object. Users and files are flat already. */
export function flat(entry: RestEntry): Readonly<Record<string, unknown>> & { readonly id: number } {
  const { id, attributes, meta: _meta, ...rest } = entry;
  return { ...rest, ...attributes, id };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A populated to-one value, with or without a `data` envelope. */
export function populatedOne(value: unknown): RestEntry | undefined {
  const data = isObject(value) && 'data' in value ? value['data'] : value;
  return isObject(data) ? (data as unknown as RestEntry) : undefined;
}

/** A populated to-many value, with or without a `data` envelope. */
export function populatedMany(value: unknown): readonly RestEntry[] {
  const data = isObject(value) && 'data' in value ? value['data'] : value;
  return Array.isArray(data) ? (data as RestEntry[]) : [];
}

/** The count that `populate[tags][count]=true` returns in place of the list. */
export function populatedCount(value: unknown): number | undefined {
  const counted = populatedOne(value);
  const count = counted && (counted.attributes ?? (counted as unknown as Record<string, unknown>))['count'];
  return typeof count === 'number' ? count : undefined;
}

/** The title of an entry: its main field, or its id if that is empty. */
export function titleOf(entry: RestEntry, mainField = 'id'): string {
  const title = mainField === 'id' ? undefined : flat(entry)[mainField];
  return typeof title === 'string' || typeof title === 'number' ? String(title) || `#${entry.id}` : `#${entry.id}`;
}

/** Converts an entry of `type` to a reference. */
export function refOf(entry: RestEntry, type: ContentType | undefined, withType = false): EntryRef {
  const isDraft = type?.draftAndPublish === true && flat(entry)['publishedAt'] === null;
  return {
    id: entry.id,
    title: titleOf(entry, type?.mainField),
    ...(isDraft && { isDraft }),
    ...(withType && type && { type: type.uid }),
  };
}

/** The fields that `refOf` needs. */
export function refFields(type: ContentType | undefined): readonly string[] {
  if (!type) return ['id'];
  return [...new Set(['id', type.mainField, ...(type.draftAndPublish ? ['publishedAt'] : [])])];
}
