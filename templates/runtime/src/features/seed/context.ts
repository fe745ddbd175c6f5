/** What sample content is made with. */
import type { TextsLike } from '../../contract/attribute-types/random-value.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Random } from '../../contract/values/random.ts';

/** Writes entries, as the server itself; the answers are their ids. */
export interface Writer {
  create(uid: string, data: object): Promise<number>;
  update(uid: string, id: number, data: object): Promise<void>;
  /** Creates or updates the entry of a single type. */
  save(uid: string, data: object): Promise<number>;
  /** Stores a file of one of these kinds. */
  upload(kinds: readonly string[]): Promise<number>;
}

export interface SeedContext {
  readonly types: ContentTypes;
  readonly random: Random;
  readonly writer: Writer;
  readonly textsLike: TextsLike | undefined;
  /** The ids of the entries that relations can lead to, by type. */
  readonly pools: Map<string, number[]>;
  /** Values of unique attributes: `article.slug`. */
  readonly taken: Map<string, Set<unknown>>;
}
