/**
 * Answers that clients have, and the state of the database that they show: while that stays, If-None-Match is answered without reading
 * anything else. The state is read before its answer, which is therefore never older.
 */
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { EntryRequest } from './entry-request.ts';
import type { FileUrls } from './file-urls.ts';
import type { ReadRun } from './read-limits.ts';
import { shortHash } from './version-tag.ts';

/** In characters of keys. */
const MAX_SIZE = 1024 * 1024;
const MAX_KEY = 2000;
const MAX_ANSWERS = 5000;

/** What an answer is known by. `version` is undefined for lists. */
export interface AnswerTag {
  readonly version: number | undefined;
  readonly tag: string;
}

interface Known extends AnswerTag {
  readonly state: string;
}

interface Answer {
  readonly version?: number | undefined;
  readonly tag: string | undefined;
  readonly body: string | Buffer;
}

export interface KnownAnswers {
  /**
   * `read()`, or `unchanged(…)` if the client has that answer. `compiled`: the compiled query, which is another one for callers with
   * other rights; `values`: everything else that the answer depends on.
   */
  answer<Found extends Answer | undefined>(
    asked: {
      readonly compiled: object;
      readonly values: readonly unknown[];
      readonly client: ReadRun['client'];
      readonly isKnown: EntryRequest['isKnown'];
    },
    read: () => Promise<Found>,
    unchanged: (tag: AnswerTag) => Found,
  ): Promise<Found>;
}

export function createKnownAnswers(database: Pick<Database, 'state'>, fileUrls: FileUrls | undefined): KnownAnswers {
  const answers = new LRUCache<string, Known>({
    max: MAX_ANSWERS,
    maxSize: MAX_SIZE,
    maxEntrySize: MAX_KEY,
    sizeCalculation: (_, key) => key.length,
  });
  const numbers = new WeakMap<object, number>();
  let count = 0;

  function numberOf(compiled: object): number {
    const known = numbers.get(compiled) ?? (count += 1);
    numbers.set(compiled, known);
    return known;
  }

  return {
    async answer({ compiled, values, client, isKnown }, read, unchanged) {
      if (!isKnown || !database.state) return read();
      const address = `${numberOf(compiled)} ${JSON.stringify(values)}`;
      const state = `${await database.state({ client })} ${fileUrls?.period() ?? ''}`;
      const known = answers.get(address);
      if (known?.state === state && isKnown(known)) return unchanged(known);
      const found = await read();
      if (found) {
        const { version, tag = shortHash(found.body) } = found;
        answers.set(address, { state, version, tag });
      }
      return found;
    },
  };
}
