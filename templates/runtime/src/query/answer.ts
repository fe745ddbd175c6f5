/**
 * The answers of reads. The database builds them as JSON, which is sent to the client unchanged; it is parsed only for code that
 * needs the entries as objects.
 */
import { pageMeta, type Pagination } from './page-meta.ts';
import type { NumberedPage } from './read-query.ts';
import { type Pieces, utf8Of } from './utf8-pieces.ts';
import { parsedEntry, type ReadEntry, shortHash } from './version-tag.ts';

/** One entry, or its absence. */
export interface EntryAnswer {
  /** The version of the entry, which every write increments; undefined if there is no entry. */
  readonly version: number | undefined;
  /** Together with the version, identifies the bytes of the body; undefined if only the body itself can. */
  readonly tag: string | undefined;
  /** The JSON of the body, in UTF-8 if it may be long. */
  readonly body: string | Buffer;
  /** The body as a value, so that `ctx.body = answer` sends the same as `reply`, but for its headers. */
  toJSON(): unknown;
  /** The entry as an object: a new one on each call, so that no caller can change another's. */
  entry(): unknown;
  /** A copy of this answer with another entry. */
  with(entry: unknown): EntryAnswer;
}

/** A page of a list. */
export interface ListAnswer {
  /** The JSON of the body, encoded in UTF-8 once, because lists are long. Built on first access. */
  readonly body: Buffer;
  /** The body as a value, see `EntryAnswer`. */
  toJSON(): unknown;
  /** Identifies the bytes of the body; undefined if only the body itself can. */
  readonly tag: string | undefined;
  /** The entries as objects: new ones on each call. */
  entries(): readonly unknown[];
  /** The same page with other entries. */
  with(entries: readonly unknown[]): ListAnswer;
  /** The same entries with other pagination metadata. */
  on(pagination: Pagination): ListAnswer;
  /** `meta.pagination` */
  readonly pagination: Pagination;
}

const START = '{"data":';
const END = ',"meta":{}}';

/** The answer for an entry. */
export function entryAnswer(read: ReadEntry): EntryAnswer {
  const { text, version, tag } = read;
  const entry = (): unknown => parsedEntry(read);
  return {
    version,
    tag,
    body: typeof text === 'string' ? START + text + END : utf8Of([START, ...text, END]),
    toJSON: () => ({ data: entry(), meta: {} }),
    entry,
    with: (entry) => entryAnswer({ text: JSON.stringify(entry), version }),
  };
}

/** The answer without a body, for a client whose copy of the entry is current. */
export function unchangedAnswer({
  version,
  tag,
}: Pick<EntryAnswer, 'version'> & Partial<Pick<EntryAnswer, 'tag'>>): EntryAnswer {
  const answer: EntryAnswer = {
    version,
    tag,
    body: '',
    toJSON: () => null,
    entry: () => null,
    with: () => answer,
  };
  return answer;
}

/** The answer for an entry that no longer exists; some formats send it without a body. */
export const NO_ENTRY: EntryAnswer = {
  version: undefined,
  tag: undefined,
  body: 'null',
  toJSON: () => null,
  entry: () => null,
  with: () => NO_ENTRY,
};

/** An answer whose body is the entry itself, without an envelope. */
export function bareAnswer(entry: unknown, version: number | undefined): EntryAnswer {
  return {
    version,
    tag: undefined,
    body: JSON.stringify(entry),
    toJSON: () => entry,
    entry: () => structuredClone(entry),
    with: (other) => bareAnswer(other, version),
  };
}

/** The entries of a page: a JSON array, and a key of their state (see `ListPage`), if there is one. */
interface PageEntries {
  readonly data: Pieces;
  readonly state?: string | undefined;
}

/**
 * A class, like everything that has getters and is created per request: an object literal with a getter gets its own hidden
 * class, which keeps the getter's scope (here the bytes) alive until the next full garbage collection.
 */
class PageAnswer implements ListAnswer {
  readonly pagination: ListAnswer['pagination'];
  readonly #page: PageEntries;
  #body: Buffer | undefined;

  constructor(page: PageEntries, pagination: Pagination) {
    this.pagination = pagination;
    this.#page = page;
  }

  get tag(): string | undefined {
    const { state } = this.#page;
    return state === undefined ? undefined : shortHash(state + JSON.stringify(this.pagination));
  }

  get body(): Buffer {
    this.#body ??= this.#bytes();
    return this.#body;
  }

  #bytes(): Buffer {
    const { pagination } = this;
    const { data } = this.#page;
    return utf8Of([START, ...data, `,"meta":${JSON.stringify({ pagination })}}`]);
  }

  toJSON(): unknown {
    return JSON.parse(this.body.toString());
  }

  entries(): readonly unknown[] {
    return JSON.parse(String(utf8Of(this.#page.data))) as readonly unknown[];
  }

  with(entries: readonly unknown[]): ListAnswer {
    return new PageAnswer({ data: [JSON.stringify(entries)] }, this.pagination);
  }

  on(pagination: Pagination): ListAnswer {
    return new PageAnswer(this.#page, pagination);
  }
}

/** The page without a body, for a client whose copy of it is current. */
export function unchangedPage(tag: string): ListAnswer {
  const page: ListAnswer = {
    body: Buffer.alloc(0),
    tag,
    pagination: {},
    toJSON: () => null,
    entries: () => [],
    with: () => page,
    on: () => page,
  };
  return page;
}

/** The answer for a page. `total` is undefined if it was not counted. */
export function listAnswer(entries: PageEntries, page: NumberedPage, total: number | undefined): ListAnswer {
  return new PageAnswer(entries, pageMeta(page, total));
}
