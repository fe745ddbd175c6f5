/** Which entry a screen is about, and where it is read and saved. */
import { type ContentType, resourceOf } from '../model/model.ts';
import type { QueryObject } from '../rest/query-string.ts';

export interface EntryTarget {
  readonly type: ContentType;
  /** Absent of a single type, and of an entry that is new. */
  readonly id?: number | undefined;
  /** Of a localized type. */
  readonly locale?: string | undefined;
  /** The entry that a new one is another locale of. */
  readonly otherLocaleOf?: number | undefined;
}

export function isNew({ type, id }: EntryTarget): boolean {
  return type.kind === 'collection' && id === undefined;
}

/** Below `/api/`. */
export function pathOf({ type, id }: EntryTarget): string {
  return id === undefined ? resourceOf(type) : `${resourceOf(type)}/${id}`;
}

/** An entry is in one locale; a single type has one entry in each. */
export function localeQuery({ type, locale }: EntryTarget): QueryObject {
  return type.kind === 'single' && type.localized && locale !== undefined ? { locale } : {};
}
