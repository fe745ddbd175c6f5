/** Names of engine-specific objects other than the tables, columns and indexes in migrations. */
import type { Sha256 } from './migration-sum.ts';

/** The longest name that every engine supports, in bytes: PostgreSQL's limit. */
export const MAX_NAME = 63;

/** Hexadecimal digits of the hash in a shortened name. */
const HASH_LENGTH = 8;

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest prefix of `text` that has at most `maxBytes` bytes of UTF-8, without splitting a character. */
function cutBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += bytesOf(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/**
 * `name` if it has at most `maxBytes` bytes of UTF-8; otherwise a prefix of it and a hash of the whole name. Depends only on the
 * name itself, so adding other names never changes it.
 */
export function shortenedName(name: string, maxBytes: number, sha256: Sha256): string {
  if (bytesOf(name) <= maxBytes) return name;
  return `${cutBytes(name, maxBytes - HASH_LENGTH - 1)}_${sha256(name).slice(0, HASH_LENGTH)}`;
}

/** MySQL only: the name of an index's counterpart in the opposite direction. */
export function reversedIndexName(index: string, sha256: Sha256): string {
  return shortenedName(`${index}_turned`, MAX_NAME, sha256);
}

const IN_STEP_HASH_LENGTH = 16;

/** Name for the triggers that keep two columns of a table in sync. Fits every engine, whatever the length of the table's name. */
export function syncTriggerName(table: string, sha256: Sha256): string {
  return `in_step_${sha256(table).slice(0, IN_STEP_HASH_LENGTH)}`;
}

/** Events of the triggers that refuse rows without a required foreign key on SQLite. */
export const REQUIRED_EVENTS = ['insert', 'update'] as const;

/** SQLite only: the name of such a trigger. */
export function requiredTriggerName(foreignKey: string, event: (typeof REQUIRED_EVENTS)[number]): string {
  return `${foreignKey}_required_${event}`;
}

/** Events of the triggers that keep a full-text index up to date on SQLite. */
export const SEARCH_EVENTS = ['insert', 'update', 'delete'] as const;

/** The name of such a trigger. */
export function searchTriggerName(index: string, event: (typeof SEARCH_EVENTS)[number]): string {
  return `${index}_${event}`;
}
