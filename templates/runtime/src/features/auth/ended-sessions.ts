/**
 * Sessions that were ended before they expired. They are stored in `rate_limits`, whose rows, names with an expiry time, fit this
 * purpose, too. Only a hash of the session id is stored, not the tokens.
 */
import { LRUCache } from 'lru-cache';
import { type Database, UniqueViolation } from '../../database/database.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { hashSecret } from './secrets.ts';

export interface EndedSessions {
  /** Whether the session with this id has been ended; cached, so up to a second late for other instances. */
  has(id: string): Promise<boolean>;
  /** `expires`: when the session's tokens expire anyway, in seconds since 1970. */
  add(id: string, expires: number): Promise<void>;
}

/** How long a result is cached, in milliseconds. */
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
        // A concurrent request has ended the same session.
        if (!(error instanceof UniqueViolation)) throw error;
      }
      known.set(id, true);
    },
  };
}
