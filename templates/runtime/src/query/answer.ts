/**
 * What is answered of entries. The database builds it as JSON, which goes to whoever asked as it is; only code that wants to
 * look into it has it parsed.
 */
import { pageMeta } from './page-meta.ts';
import type { PageMeta } from './read-query.ts';

/** One entry, or what an answer says in its place. */
export interface EntryAnswer {
  /** The JSON of the body. */
  readonly body: string;
  /** The entry as an object; another one at each call, so that nobody changes it for anybody else. */
  entry(): unknown;
  /** The same about another entry. */
  with(entry: unknown): EntryAnswer;
}

/** A page of a list. */
export interface ListAnswer {
  /** The JSON of the body, in UTF-8: lists are long, and bytes are not copied again. */
  readonly body: Buffer;
  /** The entries as objects; others at each call. */
  entries(): readonly unknown[];
  /** The same page with other entries. */
  with(entries: readonly unknown[]): ListAnswer;
  /** `meta.pagination` */
  readonly pagination: Readonly<Record<string, number>>;
}

const START = Buffer.from('{"data":');

/** The answer about the entry that has this JSON text. */
export function entryAnswer(text: string): EntryAnswer {
  return {
    body: `{"data":${text},"meta":{}}`,
    entry: () => JSON.parse(text) as unknown,
    with: (entry) => entryAnswer(JSON.stringify(entry)),
  };
}

/** The answer about an entry that is none any more, which formats may say without a body. */
export const NO_ENTRY: EntryAnswer = { body: 'null', entry: () => null, with: () => NO_ENTRY };

/** An answer that is an entry without an envelope. */
export function bareAnswer(entry: unknown): EntryAnswer {
  return { body: JSON.stringify(entry), entry: () => structuredClone(entry), with: bareAnswer };
}

/**
 * A class, as all that has getters and is made for each request: an object literal with a getter gets a hidden class of its
 * own, which keeps the getter's scope (here the bytes) until the next full garbage collection.
 */
class PageAnswer implements ListAnswer {
  readonly pagination: ListAnswer['pagination'];
  readonly #data: Buffer;
  readonly #page: PageMeta;
  readonly #total: number | undefined;

  constructor(data: Buffer, page: PageMeta, total: number | undefined) {
    this.pagination = pageMeta(page, total);
    this.#data = data;
    this.#page = page;
    this.#total = total;
  }

  get body(): Buffer {
    const { pagination } = this;
    return Buffer.concat([START, this.#data, Buffer.from(`,"meta":${JSON.stringify({ pagination })}}`)]);
  }

  entries(): readonly unknown[] {
    return JSON.parse(this.#data.toString()) as readonly unknown[];
  }

  with(entries: readonly unknown[]): ListAnswer {
    return new PageAnswer(Buffer.from(JSON.stringify(entries)), this.#page, this.#total);
  }
}

/** The answer of a page whose entries are the JSON array `data`. `total` is undefined where it was not counted. */
export function listAnswer(data: Buffer, page: PageMeta, total: number | undefined): ListAnswer {
  return new PageAnswer(data, page, total);
}
