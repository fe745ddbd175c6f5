/**
 * Sessions that have been ended before they expire. They are rows of the table of tries, which has what they need, names that are good
 * until some time: tokens name their session, and are not stored themselves.
 */
import { LRUCache } from 'lru-cache';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { hashSecret } from './secrets.ts';

export interface EndedSessions {
  /** At most a second after another instance has ended it. `id` is that of the session. */
  has(id: string): Promise<boolean>;
  /** `expires`: when its tokens are no longer good anyway, in seconds since 1970. */
  add(id: string, expires: number): Promise<void>;
}

const FRESH = 1000;
const MAX_SESSIONS = 5000;

function rowName(id: string): string {
  return `ended session ${hashSecret(id)}`;
}

export function createEndedSessions(database: Database): EndedSessions {
  const known = new LRUCache<string, boolean>({ max: MAX_SESSIONS, ttl: FRESH });
  return {
    async has(id) {
      const cached = known.get(id);
      if (cached !== undefined) return cached;
      const readAt = performance.now();
      const row = await database.get(sql`SELECT name FROM rate_limits WHERE name = ${rowName(id)}`);
      known.set(id, row !== undefined, { start: readAt });
      return row !== undefined;
    },
    async add(id, expires) {
      const end = Math.ceil(expires * 1000);
      try {
        await database.run(sql`INSERT INTO rate_limits (name, tries, expires_at) VALUES (${rowName(id)}, 0, ${end})`);
        await database.run(deleteRows(raw('rate_limits'), sql`expires_at <= ${Date.now()}`));
      } catch (error) {
        // Another request has ended it.
        if (!(error instanceof UniqueViolation)) throw error;
      }
      known.set(id, true);
    },
  };
}
