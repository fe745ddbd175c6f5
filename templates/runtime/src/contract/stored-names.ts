/** The names of what an engine needs beside the tables, columns and indexes that migrations name. */
import type { Sha256 } from './migration-sum.ts';

/** The longest name that every engine takes: PostgreSQL's, in bytes. */
export const MAX_NAME = 63;

/** Hexadecimal digits of the hash in a shortened name: two of 16 million names share them. */
const HASH_LENGTH = 8;

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The longest beginning of `text` that has at most `maxBytes` bytes of UTF-8 and no half character. */
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
 * `name` itself where it has at most `maxBytes` bytes of UTF-8; else its beginning and a hash of all of it. It depends on
 * nothing but the name, so that no other name can change it.
 */
export function shortenedName(name: string, maxBytes: number, sha256: Sha256): string {
  if (bytesOf(name) <= maxBytes) return name;
  return `${cutBytes(name, maxBytes - HASH_LENGTH - 1)}_${sha256(name).slice(0, HASH_LENGTH)}`;
}

/** What the second key of an index is called on MySQL, that of its other direction. */
export function turnedName(index: string, sha256: Sha256): string {
  return shortenedName(`${index}_turned`, MAX_NAME, sha256);
}

const IN_STEP_HASH_LENGTH = 16;

/** A name for the triggers that keep two columns of a table in step, which fits every engine however long that of the table is. */
export function inStepName(table: string, sha256: Sha256): string {
  return `in_step_${sha256(table).slice(0, IN_STEP_HASH_LENGTH)}`;
}

/** The events of triggers by which SQLite keeps an index of words as the entries are. */
export const SEARCH_EVENTS = ['insert', 'update', 'delete'] as const;

/** The name of the trigger of such an index. */
export function searchTriggerName(index: string, event: (typeof SEARCH_EVENTS)[number]): string {
  return `${index}_${event}`;
}
