/** What the routes of a history answer. */

/** A version of an entry, apart from its content. */
export interface EntryVersion {
  /** Unique in the server, and greater than those of earlier versions. */
  readonly version: number;
  /** `begin`: the history of the entry begins; `link`: an entry was written that this one is related to. */
  readonly action: string;
  /** The version that was restored. */
  readonly of?: number;
  readonly at: string;
  /** `name`: of a user or an API token that is still there. */
  readonly by: { readonly kind: string; readonly id?: number; readonly name?: string };
  readonly requestId: string | null;
}

/** A page of versions, the last one first. */
export interface VersionList {
  readonly data: readonly EntryVersion[];
  /** `next` is the value of `pagination.after` for the next page, and null on the last page. */
  readonly meta: { readonly pagination: { readonly pageSize: number; readonly next: string | null } };
}

/** An entry as it was in a version. */
export interface FormerEntry<E> {
  readonly data: E;
  /** `dropped`: attributes that the type no longer has. */
  readonly meta: { readonly history: EntryVersion & { readonly dropped?: Readonly<Record<string, unknown>> } };
}

/** What has happened to an element of a list; positions count from 1. */
export interface ElementDifference {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  readonly id: number;
  /** Behind polymorphic relations. */
  readonly __type?: string;
  /** In dynamic zones. */
  readonly __component?: string;
  readonly from?: number;
  readonly to?: number;
  /** An item that one of the versions lacks. */
  readonly item?: Readonly<Record<string, unknown>>;
  /** Within an item that both versions have. */
  readonly differences?: readonly EntryDifference[];
}

/** An attribute that differs: a value, a list, or within a component. */
export type EntryDifference =
  | { readonly attribute: string; readonly before: unknown; readonly after: unknown }
  | { readonly attribute: string; readonly changes: readonly ElementDifference[] }
  | { readonly attribute: string; readonly differences: readonly EntryDifference[] };

export interface VersionDifferences {
  readonly data: readonly EntryDifference[];
  readonly meta: { readonly from: EntryVersion; readonly to: EntryVersion };
}

/** Which versions to list. */
export interface VersionQuery {
  readonly pagination?: { readonly pageSize?: number; readonly after?: string };
}
