/** The work of releases that are published by themselves. */
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { statement } from '../../database/write-plan.ts';
import { byServer, publishRelease, RefusedReleaseError, type ReleaseHost } from './publish-release.ts';
import type { DueWork } from './publisher.ts';
import { refusalOf } from './refusal.ts';
import { COLUMNS, RELEASE_STATE, releaseRow, releaseSubject, table } from './release-rows.ts';

/** Another instance has the row. */
class TakenError extends Error {}

export function dueReleases(database: Database, host: ReleaseHost): DueWork {
  return {
    table,
    columns: COLUMNS,
    describe: (row) => ({ release: Number(row['id']) }),
    async perform(row, lease) {
      const where = sql`state = ${RELEASE_STATE.planned} AND lease = ${lease}`;
      const gone = () => new TakenError('another instance has the release');
      try {
        await publishRelease(host, releaseRow(row), { publish: byServer(host), where, gone });
        return true;
      } catch (error) {
        if (error instanceof TakenError) return false;
        throw error;
      }
    },
    explain: (_, error) => error,
    forget: async () => false,
    async refuse(row, lease, error) {
      const refusals = error instanceof RefusedReleaseError ? error.refusals : [{ item: -1, ...refusalOf(error) }];
      const kept = statement(
        sql`UPDATE ${table} SET state = ${RELEASE_STATE.open}, lease = NULL, version = version + 1, reason = ${JSON.stringify(refusals)} WHERE id = ${Number(row['id'])} AND lease = ${lease}`,
      );
      const subjects = [releaseSubject('release.refuse', releaseRow(row), { refusals })];
      await database.write(async () => ({ subjects, steps: [kept], answer: () => undefined }));
    },
  };
}
