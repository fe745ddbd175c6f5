/** What becomes of entries later: when they are published, and deleted ones that can be restored. */
import type { ChangeOptions, RequestOptions } from './send.ts';

/** In ISO 8601, with a time zone. Null removes a time; what is left out stays. */
export interface ScheduleTimes {
  readonly publishAt?: string | null;
  readonly unpublishAt?: string | null;
}

/** When an entry is published and taken back. */
export interface Schedule {
  readonly publishAt: string | null;
  readonly unpublishAt: string | null;
  /** What was due and could not be done. */
  readonly refusals: readonly {
    readonly action: 'publish' | 'unpublish';
    readonly at: string;
    readonly message: string;
    readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[];
  }[];
}

interface LocaleQuery {
  readonly locale?: string;
}

interface ScheduleAnswer {
  readonly data: Schedule;
}

/** Of a collection type with `schedules`. */
export interface CollectionSchedules<Id> {
  schedule(id: Id, query?: LocaleQuery, options?: RequestOptions): Promise<ScheduleAnswer>;
  setSchedule(id: Id, times: ScheduleTimes, query?: LocaleQuery, options?: ChangeOptions): Promise<ScheduleAnswer>;
}

/** Of a single type with `schedules`. */
export interface SingleSchedules {
  schedule(query?: LocaleQuery, options?: RequestOptions): Promise<ScheduleAnswer>;
  setSchedule(times: ScheduleTimes, query?: LocaleQuery, options?: ChangeOptions): Promise<ScheduleAnswer>;
}

/** A deleted entry. */
export interface Deletion {
  /** Identifies the deletion: `before` of the next page. */
  readonly key: number;
  readonly id: number;
  readonly documentId?: string;
  readonly title?: string;
  readonly locales?: readonly string[];
  readonly published: boolean;
  readonly deletedAt: string;
  /** It can be restored until then. */
  readonly until: string;
  readonly by: { readonly kind: string; readonly id?: number };
}

export interface TrashQuery {
  readonly before?: number;
}

interface RestoredAnswer {
  readonly data: { readonly id: number; readonly documentId?: string };
}

/** Of a collection type with a `trash`. */
export interface CollectionTrash<Id> {
  deleted(query?: TrashQuery, options?: RequestOptions): Promise<{ readonly data: readonly Deletion[] }>;
  restoreDeleted(id: Id, options?: ChangeOptions): Promise<RestoredAnswer>;
}

/** Of a single type with a `trash`. */
export interface SingleTrash {
  deleted(query?: TrashQuery, options?: RequestOptions): Promise<{ readonly data: readonly Deletion[] }>;
  restoreDeleted(options?: ChangeOptions): Promise<RestoredAnswer>;
}
