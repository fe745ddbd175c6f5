/** Checks that there are recent backups of a SQLite database. */
import { sqlitePath } from '../../database/open-database.ts';
import { backupTime, listBackups } from '../backup/backup-folder.ts';
import type { Settings } from '../settings.ts';
import { type Finding, findingsAbout } from './finding.ts';

const of = findingsAbout('backups');

/** Checks the age of the newest backup. `now` is in milliseconds since 1970. */
export async function checkBackups({ databaseUrl, backup }: Settings, now: number): Promise<readonly Finding[]> {
  if (sqlitePath(databaseUrl) === undefined) return [];
  const { directory, every } = backup;
  const latest = (await listBackups(directory)).at(-1);
  if (latest === undefined) {
    return [of.warning(`there are none in ${directory}: npm run server -- backup create, or set BACKUP_EVERY=24h`)];
  }
  const age = now - backupTime(latest);
  const isOld = every !== undefined && age > 2 * every * 1000;
  const text = `the newest was created at ${latest}`;
  return [isOld ? of.bad(`${text}, more than twice BACKUP_EVERY ago: see the log for the reason`) : of.good(text)];
}
