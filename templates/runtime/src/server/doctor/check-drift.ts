/** Checks that the tables of a database are as its migrations left them. */
import type { Database } from '../../database/database.ts';
import { type Finding, findingsAbout, messageOf } from './finding.ts';

const tables = findingsAbout('tables');

/** The maximum number of differences shown; `npm run server -- migrate status` shows more. */
const SHOWN = 10;

/** Checks for drift. `directory` contains the migrations. */
export async function checkDrift(database: Database, directory: string): Promise<readonly Finding[]> {
  const { findDrift } = await import('../../migrator/drift/find-drift.ts');
  const { describeDrift } = await import('../../migrator/drift/describe-drift.ts');
  try {
    const { drifted, undeclared, more, unknown, hidden } = await findDrift(database, directory);
    if (unknown !== undefined) return [tables.warning(`not compared with the migrations: ${unknown}`)];
    const describe = (thing: (typeof drifted)[number]): string => describeDrift(thing, database.dialect.name);
    const unseen = hidden === undefined ? [] : [tables.warning(`not compared: ${hidden}`)];
    const others = undeclared.slice(0, SHOWN).map((thing) => tables.good(describe(thing)));
    if (drifted.length === 0) return [tables.good('match the migrations'), ...unseen, ...others];
    const rest = drifted.length - SHOWN;
    const left = rest > 0 || more ? [tables.bad('there are more differences: npm run server -- migrate status')] : [];
    return [...drifted.slice(0, SHOWN).map((thing) => tables.bad(describe(thing))), ...left, ...unseen, ...others];
  } catch (error) {
    return [tables.bad(messageOf(error))];
  }
}
