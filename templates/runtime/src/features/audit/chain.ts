/**
 * The chain of hashes. A write adds its rows without a hash, so that writes don't wait for each other. Soon after the commit, one process at
 * a time makes them links: each hash is that of the row and of the hash before, so that no row can be changed, removed or added in between
 * without all later hashes being wrong.
 */
import { createHash } from 'node:crypto';
import { counters } from '../../base/counters.ts';
import { AUDIT_CHAIN_TABLE, AUDIT_LOG_TABLE, type AuditRow } from '../../contract/audit/audit-log.ts';
import { type Database, UniqueViolation } from '../../database/database.ts';
import type { Executor } from '../../database/executor.ts';
import { deleteRows, raw, sql } from '../../database/sql.ts';
import { linksAfter, unlinked } from './audit-rows.ts';

const log = raw(AUDIT_LOG_TABLE);
const chain = raw(AUDIT_CHAIN_TABLE);

/** How many rows are linked, or deleted, in one transaction. */
const AT_ONCE = 500;

/** An end of the chain: the last link, or the last one that was deleted. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
}

const EMPTY: ChainEnd = { position: 0, hash: '' };

/** The hash of a row at a position, after that of the link before. */
export function linkHash(before: string, row: AuditRow, position: number): string {
  const { at, event, actor, type, subjectId, documentId, locale, requestId, address, details } = row;
  const facts = [position, at, event, actor.kind, actor.id ?? null, type, subjectId, documentId, locale, requestId];
  const text = JSON.stringify([before, ...facts, address, details]);
  return createHash('sha256').update(text).digest('hex');
}

/** `head`: the last link; `anchor`: the last one that was deleted. */
export async function readEnd(executor: Executor, name: 'head' | 'anchor'): Promise<ChainEnd> {
  const row = await executor.get(sql`SELECT position, hash FROM ${chain} WHERE name = ${name}`);
  return row ? { position: Number(row['position']), hash: String(row['hash']) } : EMPTY;
}

/** Adds the ends of an empty chain, if there are none. */
async function addEnds(database: Database): Promise<void> {
  for (const name of ['head', 'anchor']) {
    try {
      await database.run(sql`INSERT INTO ${chain} (name, position, hash) VALUES (${name}, 0, '')`);
    } catch (error) {
      // Another instance has added it meanwhile.
      if (!(error instanceof UniqueViolation)) throw error;
    }
  }
}

/** The last link, locked until the end of the transaction; undefined before the first. */
async function lockHead(tx: Executor): Promise<ChainEnd | undefined> {
  const row = await tx.get(sql`SELECT position, hash FROM ${chain} WHERE name = 'head'${tx.dialect.rowLock}`);
  return row && { position: Number(row['position']), hash: String(row['hash']) };
}

async function linkSome(database: Database): Promise<number | undefined> {
  return database.transaction(async (tx) => {
    const head = await lockHead(tx);
    if (!head) return undefined;
    let { position, hash } = head;
    const rows = await unlinked(tx, AT_ONCE);
    const links = rows.map((row) => {
      position += 1;
      hash = linkHash(hash, row, position);
      return { id: row.id, position, hash };
    });
    if (links.length === 0) return 0;
    const { dialect } = tx;
    const given = dialect.jsonRows(JSON.stringify(links), { id: 'integer', position: 'integer', hash: 'text' });
    const assigned = { position: raw('r.position'), hash: raw('r.hash') };
    await tx.run(dialect.updateFrom(AUDIT_LOG_TABLE, given, assigned, raw('t.id = r.id')));
    await tx.run(sql`UPDATE ${chain} SET position = ${position}, hash = ${hash} WHERE name = 'head'`);
    return links.length;
  });
}

/** Makes all committed rows links of the chain. */
export async function linkRows(database: Database): Promise<void> {
  while ((await unlinked(database, 1)).length > 0) {
    const linked = await linkSome(database);
    counters.auditRows += linked ?? 0;
    if (linked === undefined) await addEnds(database);
    else if (linked < AT_ONCE) return;
  }
}

/** Deletes the first links that are older, and keeps the hash of the last of them, from which the rest can be verified. */
export async function pruneAudit(database: Database, before: number): Promise<void> {
  for (;;) {
    const count = await database.transaction(async (tx) => {
      if (!(await lockHead(tx))) return 0;
      const { position } = await readEnd(tx, 'anchor');
      const rows = await linksAfter(tx, position, AT_ONCE);
      const end = rows.findIndex(({ at }) => Date.parse(at) >= before);
      const old = end < 0 ? rows : rows.slice(0, end);
      const last = old.at(-1);
      if (!last) return 0;
      await tx.run(sql`UPDATE ${chain} SET position = ${last.position}, hash = ${last.hash} WHERE name = 'anchor'`);
      await tx.run(deleteRows(log, sql`position <= ${last.position}`));
      return old.length;
    });
    if (count < AT_ONCE) return;
  }
}
