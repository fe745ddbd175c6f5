/** Identifies the entry of a screen and its API path. */
import { type ContentType, resourceOf } from '../model/model.ts';
import type { QueryObject } from '../rest/query-string.ts';

export interface EntryTarget {
  readonly type: ContentType;
  /** Absent for single types and new entries. */
  readonly id?: number | undefined;
  /** Only for localized types. */
  readonly locale?: string | undefined;
  /** For a new locale: the id of the entry that it belongs to. */
  readonly otherLocaleOf?: number | undefined;
}

export function isNew({ type, id }: EntryTarget): boolean {
  return type.kind === 'collection' && id === undefined;
}

/** The path of the entry below `/api/`. */
export function pathOf({ type, id }: EntryTarget): string {
  return id === undefined ? resourceOf(type) : `${resourceOf(type)}/${id}`;
}

/** Only single types need a locale parameter: elsewhere, the id determines the locale. */
export function localeQuery({ type, locale }: EntryTarget): QueryObject {
  return type.kind === 'single' && type.localized && locale !== undefined ? { locale } : {};
}
