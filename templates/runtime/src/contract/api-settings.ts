/** Formats and limits of the API: `api:` in the schema. */

/** Formats of requests and responses, named after the version of Strapi whose clients use them. */
export const formatNames = ['v4', 'v5'] as const;

export type FormatName = (typeof formatNames)[number];

/** Which entries have `meta.availableLocales`: all, or those of localized types. */
export const entryMetas = ['always', 'localized'] as const;

export interface ApiSettings {
  /**
   * The format of requests that don't name one. If the schema sets it, every entry has a document id, and both formats are served.
   * Absent: only v4 is served.
   */
  readonly format?: FormatName;
  /** Entries in the v4 format have `meta` only if their type is localized. Absent: all have it. */
  readonly entryMeta?: 'localized';
  readonly unknownAttributes: 'reject' | 'ignore';
  /** Whether every change over HTTP must have the header `If-Match`. */
  readonly requireIfMatch?: true;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  /** Entries of a list are counted up to this number, which is then its `total`. Absent: all are counted. */
  readonly maxCount?: number;
  readonly maxPopulateDepth: number;
  readonly maxPopulatedPaths: number;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Entries in one response, including populated ones. */
  readonly maxAnswerEntries: number;
  /** Size of one response, in bytes. */
  readonly maxAnswerSize: number;
}

/**
 * The defaults. If the schema sets only `bodyLimit`, `maxAnswerSize` is at least as large; if it sets only `maxPageSize`,
 * `maxAnswerEntries` is at least as large.
 */
export const defaultApiSettings: ApiSettings = {
  unknownAttributes: 'reject',
  defaultPageSize: 25,
  maxPageSize: 100,
  maxPopulateDepth: 5,
  maxPopulatedPaths: 100,
  bodyLimit: 1024 * 1024,
  maxAnswerEntries: 20_000,
  maxAnswerSize: 16 * 1024 * 1024,
};

/** The numeric settings. */
export type ApiLimit = Exclude<keyof ApiSettings, 'unknownAttributes' | 'format' | 'entryMeta' | 'requireIfMatch'>;

/** The ranges in which a schema may set them. */
export const apiLimits: Readonly<Record<ApiLimit, readonly [least: number, most: number]>> = {
  defaultPageSize: [1, 1_000_000],
  maxPageSize: [1, 1_000_000],
  maxCount: [1, 1_000_000_000],
  maxPopulateDepth: [1, 20],
  maxPopulatedPaths: [1, 10_000],
  bodyLimit: [1024, 100 * 1024 * 1024],
  maxAnswerEntries: [100, 1_000_000],
  maxAnswerSize: [64 * 1024, 100 * 1024 * 1024],
};
