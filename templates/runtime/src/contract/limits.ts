/**
 * Limits on the cost of one request. All of them are checked before the work begins, or while it runs. Other limits:
 *
 * | limit | set in |
 * | --- | --- |
 * | entries and size of a response, page sizes, depth and number of populated paths, size of a body | `api:` of the schema, `ApiSettings` |
 * | duration of a statement, of waiting for a lock or a connection, of the heavy reads of one caller per minute | `DATABASE_…`, `database/database-settings.ts` |
 * | idle time of a socket, bytes buffered for slow clients | `CLIENT_TIMEOUT`, `SEND_BUFFER_SIZE`, `server/settings.ts` |
 * | files and pixels of a request, concurrent uploads of one caller | `UPLOAD_…`, `features/upload/upload-settings.ts` |
 * | sign-in attempts | `AUTH_…`, `features/auth/auth-settings.ts` |
 *
 * Features that read through `query/reader.ts`, or write entries, are subject to all of them.
 */

/** Weights of filter conditions: `search` scans text, `reached` is a condition behind a relation, in another table. */
export const CONDITION_WEIGHT = { comparison: 1, search: 2, foldedSearch: 5, reached: 4 } as const;
/** Maximum total weight of all filter conditions in one query. */
export const MAX_CONDITIONS = 250;
/** Maximum nesting of `$and`, `$or`, `$not` and relations in a filter. */
export const MAX_FILTER_DEPTH = 12;

/** Factors by which each relation in the path of a sort key multiplies its weight of 1: it takes a subquery for each row. */
export const HOP_FACTOR = { one: 2, many: 5 } as const;
/** Maximum total weight of all sort keys in one query. */
export const MAX_SORT_KEYS = 50;

/**
 * If a repeatable component or dynamic zone has at most this many items, lists inside of it are populated in the same statement,
 * which builds a list for each item. Otherwise the lists are counted first.
 */
export const MAX_GUARDED_ITEMS = 50;

/**
 * Maximum number of elements of all lists of related entries and of components in one request: each takes some microseconds to check
 * and to write, during which the event loop waits.
 */
export const MAX_LISTED = 10_000;

/**
 * Maximum number of entries that one request may change through the other side of their relations if hooks run for each of them: they
 * run one after the other, in part within the transaction.
 */
export const MAX_SIDE_CHANGES = 1000;

/** Maximum number of entries that one deletion deletes with others: each with its own rights and hooks. */
export const MAX_CASCADE = 1000;

/** Maximum number of passwords hashed for one request. Each takes a tenth of a second of CPU time. */
export const MAX_PASSWORDS = 10;

/**
 * Maximum number of images resized at once and waiting for it, and the maximum memory, in bytes, that resizing one may take: others
 * are stored without formats.
 */
export const IMAGE_LIMITS = { atOnce: 2, waiting: 1000, memory: 256 * 1024 * 1024 } as const;

/** Maximum number of errors that one response lists; further ones are only counted. */
export const MAX_ISSUES = 100;

/**
 * Requests with a query string of more characters, or a body of more bytes, start one per turn of the event loop: validating them
 * takes up to a microsecond per byte.
 */
export const LONG_QUERY_LENGTH = 8 * 1024;
export const LONG_BODY_SIZE = 16 * 1024;
/** How long SQLite reads run on the server's thread in one turn of the event loop, in milliseconds. */
export const READ_TIME_PER_TURN = 8;

/** In microseconds: SQLite reads that are estimated to take longer run in a separate process, where they can be aborted. */
export const MAX_COST_ON_THREAD = 15_000;
/** Maximum number of these processes, length of the queue for them, and maximum wait in it in milliseconds. */
export const READ_PROCESSES = { most: 2, waiting: 200, wait: 10_000 } as const;

/** In microseconds: on a database server, reads that are estimated to take longer are heavy. */
export const HEAVY_READ_COST = 15_000;
/** Maximum share of the connections that heavy reads use. */
export const HEAVY_READ_SHARE = 0.5;

/**
 * Maximum number of entries that existed then, and of links between them, that one read as of a time looks through to filter or sort
 * them, and maximum size of their contents, in bytes: former content has no indexes.
 */
export const MAX_FORMER = { rows: 10_000, size: 32 * 1024 * 1024 } as const;

/** How many files one request describes. */
export const FILE_CHANGES = 100;

/** How many unfinished uploads there may be, and when they end, in milliseconds. */
export const UNFINISHED = { perCaller: 10, total: 1000, lifetime: 24 * 3_600_000 } as const;
