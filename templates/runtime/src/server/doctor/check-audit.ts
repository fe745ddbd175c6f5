/** Checks that the audit is a chain, and kept as configured. Loaded only by servers with an audit. */
import { AUDIT_LOG_TABLE } from '../../contract/audit/audit-log.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import type { AuditSettings } from '../../features/audit/audit-settings.ts';
import { readEnd } from '../../features/audit/chain.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('audit');
const log = raw(AUDIT_LOG_TABLE);

/** For how long a row may be no link of the chain, in milliseconds, while a server runs. */
const LONG = 600_000;
/** How long after their time rows may still be there, in milliseconds. */
const LATE = 24 * 3_600_000;

async function timeOf(database: Database, position: 'first' | 'unlinked'): Promise<number | undefined> {
  const where = position === 'first' ? sql`position IS NOT NULL ORDER BY position` : sql`position IS NULL ORDER BY id`;
  const row = await database.get(sql`SELECT since FROM ${log} WHERE ${where} LIMIT 1`);
  return row && Number(row['since']);
}

/** Whether the last link is there. Reads no others: that is what `audit verify` does. */
async function isEndThere(database: Database): Promise<boolean> {
  const head = await readEnd(database, 'head');
  const anchor = await readEnd(database, 'anchor');
  if (head.position <= anchor.position) return head.position === anchor.position && head.hash === anchor.hash;
  const row = await database.get(sql`SELECT hash FROM ${log} WHERE position = ${head.position}`);
  return row?.['hash'] === head.hash;
}

/** Whether its rows are linked, its end is there, and old rows are deleted. */
export async function checkAudit(database: Database, { kept }: AuditSettings): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // A server that runs may add links between two statements: then it is there the second time.
  if (!(await isEndThere(database)) && !(await isEndThere(database))) {
    findings.push(of.bad('the end of the chain is not the one that was recorded: npm run server -- audit verify'));
  }
  const unlinked = await timeOf(database, 'unlinked');
  if (unlinked !== undefined && Date.now() - unlinked > LONG) {
    findings.push(
      of.warning('some rows have been no links of the chain for more than ten minutes: does a server run?'),
    );
  }
  const first = await timeOf(database, 'first');
  const since = first === undefined ? '' : new Date(first).toISOString().slice(0, 10);
  if (first !== undefined && kept !== undefined && Date.now() - first > kept + LATE) {
    const text = `rows since ${since} are kept for longer than AUDIT_KEPT_DAYS: does a server run that deletes them?`;
    findings.push(of.warning(text));
  }
  if (findings.length > 0) return findings;
  return [of.good(first === undefined ? 'there are no rows' : `linked; the first row is of ${since}`)];
}
