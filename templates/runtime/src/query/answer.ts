/**
 * What is answered of entries. The database builds it as JSON, which goes to whoever asked as it is; only code that wants to
 * look into it has it parsed.
 */
import { pageMeta, type Pagination } from './page-meta.ts';
import type { NumberedPage } from './read-query.ts';
import { type ReadEntry, shortHash } from './version-tag.ts';

/** One entry, or what an answer says in its place. */
export interface EntryAnswer {
  /** How often the entry was written; undefined where there is none. */
  readonly version: number | undefined;
  /** With the version it tells the bytes of the body; undefined where those have to be looked at. */
  readonly tag: string | undefined;
  /** The JSON of the body. */
  readonly body: string;
  /** The entry as an object; another one at each call, so that nobody changes it for anybody else. */
  entry(): unknown;
  /** The same about another entry. */
  with(entry: unknown): EntryAnswer;
}

/** A page of a list. */
export interface ListAnswer {
  /** The JSON of the body, in UTF-8: lists are long, and bytes are not copied again. Made when it is asked for. */
  readonly body: Buffer;
  /** Tells the bytes of the body; undefined where those have to be looked at. */
  readonly tag: string | undefined;
  /** The entries as objects; others at each call. */
  entries(): readonly unknown[];
  /** The same page with other entries. */
  with(entries: readonly unknown[]): ListAnswer;
  /** The same entries as a part of another list. */
  on(pagination: Pagination): ListAnswer;
  /** `meta.pagination` */
  readonly pagination: Pagination;
}

const START = Buffer.from('{"data":');

/** The answer about an entry. */
export function entryAnswer({ text, version, tag }: ReadEntry): EntryAnswer {
  return {
    version,
    tag,
    body: `{"data":${text},"meta":{}}`,
    entry: () => JSON.parse(text) as unknown,
    with: (entry) => entryAnswer({ text: JSON.stringify(entry), version }),
  };
}

/** The answer to whoever has it already. */
export function unchangedAnswer({ version, tag }: Omit<ReadEntry, 'text'>): EntryAnswer {
  const answer: EntryAnswer = {
    version,
    tag,
    body: '',
    entry: () => null,
    with: () => answer,
  };
  return answer;
}

/** The answer about an entry that is none any more, which formats may say without a body. */
export const NO_ENTRY: EntryAnswer = {
  version: undefined,
  tag: undefined,
  body: 'null',
  entry: () => null,
  with: () => NO_ENTRY,
};

/** An answer that is an entry without an envelope. */
export function bareAnswer(entry: unknown, version: number | undefined): EntryAnswer {
  return {
    version,
    tag: undefined,
    body: JSON.stringify(entry),
    entry: () => structuredClone(entry),
    with: (other) => bareAnswer(other, version),
  };
}

/** The entries of a page: a JSON array in UTF-8, and what tells one state of it from another, if anything does. */
interface PageEntries {
  readonly data: Buffer;
  readonly state?: string | undefined;
}

/**
 * A class, as all that has getters and is made for each request: an object literal with a getter gets a hidden class of its
 * own, which keeps the getter's scope (here the bytes) until the next full garbage collection.
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
    const end = `,"meta":${JSON.stringify({ pagination })}}`;
    const endsAt = START.length + data.length;
    const body = Buffer.allocUnsafe(endsAt + Buffer.byteLength(end));
    body.set(START);
    body.set(data, START.length);
    body.write(end, endsAt);
    return body;
  }

  entries(): readonly unknown[] {
    return JSON.parse(this.#page.data.toString()) as readonly unknown[];
  }

  with(entries: readonly unknown[]): ListAnswer {
    return new PageAnswer({ data: Buffer.from(JSON.stringify(entries)) }, this.pagination);
  }

  on(pagination: Pagination): ListAnswer {
    return new PageAnswer(this.#page, pagination);
  }
}

/** The answer of a page. `total` is undefined where it was not counted. */
export function listAnswer(entries: PageEntries, page: NumberedPage, total: number | undefined): ListAnswer {
  return new PageAnswer(entries, pageMeta(page, total));
}
