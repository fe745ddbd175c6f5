/** How the API speaks, and its limits: from the schema's `api:`. */

/** The formats of requests and answers, by the version of Strapi whose clients use them. */
export const formatNames = ['v4', 'v5'] as const;

export type FormatName = (typeof formatNames)[number];

export interface ApiSettings {
  /**
   * The format of requests that name none. Where the schema says one, every entry has a document id, and both formats are served.
   * Not set: v4 alone.
   */
  readonly format?: FormatName;
  readonly unknownAttributes: 'reject' | 'ignore';
  /** Whether every change over HTTP has to say, by `If-Match`, which version of the entry it is meant for. */
  readonly requireIfMatch?: true;
  readonly defaultPageSize: number;
  readonly maxPageSize: number;
  /** As far as the entries of a list are counted: of more of them `total` says this number. Not set: all are counted. */
  readonly maxCount?: number;
  readonly maxPopulateDepth: number;
  readonly maxPopulatedPaths: number;
  /** In bytes. */
  readonly bodyLimit: number;
  /** Entries of one answer, with all that it populates. */
  readonly maxAnswerEntries: number;
  /** Bytes of one answer. */
  readonly maxAnswerSize: number;
}

/** What holds where the schema says nothing. An answer holds at least as much as a body. */
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

/** The settings that are numbers. */
export type ApiLimit = Exclude<keyof ApiSettings, 'unknownAttributes' | 'format' | 'requireIfMatch'>;

/** What the schema may say. */
export const apiLimits: Readonly<Record<ApiLimit, readonly [least: number, most: number]>> = {
  defaultPageSize: [1, 10_000],
  maxPageSize: [1, 10_000],
  maxCount: [1, 1_000_000_000],
  maxPopulateDepth: [1, 20],
  maxPopulatedPaths: [1, 10_000],
  bodyLimit: [1024, 100 * 1024 * 1024],
  maxAnswerEntries: [100, 1_000_000],
  maxAnswerSize: [64 * 1024, 100 * 1024 * 1024],
};
