/** The state shared by all steps that generate sample content. */
import type { TextsLike } from '../../contract/attribute-types/random-value.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Random } from '../../contract/values/random.ts';

/** Writes entries with the permissions of the server itself and returns their ids. */
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
  /** Ids of the entries that relations can reference, by type. */
  readonly pools: Map<string, number[]>;
  /** Ids of images that optional media may have; by default they have none. */
  readonly images?: readonly number[];
  /** Values already used by each unique attribute; a key is a path such as `article.slug`. */
  readonly taken: Map<string, Set<unknown>>;
}
