/**
 * Key locks on a Galera cluster, where `GET_LOCK` is local to one node: rows that are written instead. On the same node, the
 * second transaction waits for the row lock; on different nodes, the cluster rolls back the second one when it commits, and
 * it is retried.
 */
import { createHash } from 'node:crypto';
import { Conflict, type Connection } from './connection.ts';
import type { Transaction } from './write-plan.ts';
import { join, raw, sql } from './sql.ts';

/** The maximum number of rows: keys that share a row wait for each other as if they were the same. */
const SLOTS = 65_536;

const TABLE = raw('_key_locks');
const CREATE_TABLE = 'CREATE TABLE IF NOT EXISTS _key_locks (slot integer NOT NULL PRIMARY KEY, turns bigint NOT NULL)';
const FIND_TABLE = raw(
  "SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = '_key_locks'",
);

/** Creates the table if it does not exist. */
export async function createKeyRows(connection: Connection): Promise<void> {
  for (;;) {
    if ((await connection.query(FIND_TABLE)).rows.length > 0) return;
    try {
      await connection.command(CREATE_TABLE);
    } catch (error) {
      // Of several servers that start at once, another one was faster.
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

function slotOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE() % SLOTS;
}

/** Writes the rows of keys, always in the same order. The value changes each time, as only changed rows are replicated. */
export async function lockKeyRows(tx: Transaction, keys: readonly string[]): Promise<void> {
  const slots = [...new Set(keys.map(slotOf))].sort((a, b) => a - b);
  if (slots.length === 0) return;
  // Padded to the next power of two, so that there are few statement texts.
  const count = 2 ** Math.ceil(Math.log2(slots.length));
  const rows = Array.from({ length: count }, (_, index) => sql`(${slots[index] ?? slots.at(-1) ?? 0}, 1)`);
  await tx.run(
    sql`INSERT INTO ${TABLE} (slot, turns) VALUES ${join(rows, ', ')} ON DUPLICATE KEY UPDATE turns = turns + 1`,
  );
}
