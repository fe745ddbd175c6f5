/**
 * What one request may cost, in one place. Everything here is asked before the work, or while it runs. Beside these numbers:
 *
 * | what | where it is set |
 * | --- | --- |
 * | entries and bytes of an answer, page sizes, depth and number of populated paths, bytes of a body | `api:` of the schema, `ApiSettings` |
 * | time of a statement, of a wait for a lock or a connection | `DATABASE_…_TIMEOUT`, `database/database-settings.ts` |
 * | silence of a socket, bytes that wait for slow clients | `CLIENT_TIMEOUT`, `SEND_BUFFER_SIZE`, `server/settings.ts` |
 * | files of a request, and what one caller has arriving | `UPLOAD_…`, `features/upload/upload-settings.ts` |
 * | tries to sign in | `AUTH_…`, `features/auth/auth-settings.ts` |
 *
 * A feature that reads through `query/reader.ts`, or writes entries, is bounded by all of them.
 */

/** What a condition of a filter weighs: texts are searched character by character, and what is behind a relation is another table. */
export const CONDITION = { comparison: 1, search: 2, foldedSearch: 5, reached: 4 } as const;
/** What the conditions of all filters of one query may weigh together. */
export const MAX_CONDITIONS = 250;
/** Levels of `$and`, `$or`, `$not` and relations in a filter. */
export const MAX_FILTER_DEPTH = 12;

/** By how much each step of its path makes a sort key, which weighs 1, weigh more: each row has a statement of its own. */
export const HOP = { one: 2, many: 5 } as const;
/** What the keys of all `sort`s of one query may weigh together. */
export const MAX_SORT_KEYS = 50;

/**
 * Items of a repeatable component or dynamic zone, at most, inside of which one statement populates lists: it builds a list for
 * each item. Of more of them, the lists are counted first.
 */
export const MAX_GUARDED_ITEMS = 50;

/** Passwords that one request may have hashed: each costs a tenth of a second of a processor. */
export const MAX_PASSWORDS = 10;

/** Errors that one answer names; the others are counted. */
export const MAX_ISSUES = 100;

/** Reads of SQLite that are estimated to take more microseconds than this run in a process, where they can be stopped. */
export const MAX_COST_ON_THREAD = 15_000;
/** How many such processes there are at most, how many requests wait for one, and for how many milliseconds. */
export const READ_PROCESSES = { most: 2, waiting: 200, wait: 10_000 } as const;

/** On a database server, reads that cost more microseconds for each row of a table count as heavy… */
export const HEAVY_ROW = 1;
/** …and hold at most this share of the connections. */
export const HEAVY_SHARE = 0.5;
