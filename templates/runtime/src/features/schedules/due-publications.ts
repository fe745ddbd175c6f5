/** The work of schedules: the entries that are published, or taken back, by themselves. */
import { RELEASE_SUBJECT } from '../../contract/events/event-names.ts';
import { NotFoundError } from '../../contract/errors.ts';
import type { Database } from '../../database/database.ts';
import { deleteRows, sql } from '../../database/sql.ts';
import { statement } from '../../database/write-plan.ts';
import type { InTransaction } from '../../http/feature.ts';
import { COLUMNS, publicationRow, REFUSED, table } from './publication-rows.ts';
import { publishEntry, type Publishing } from './publish-row.ts';
import type { DueWork } from './publisher.ts';
import { explained, refusalOf } from './refusal.ts';
import { timeText } from './schedule-view.ts';

export function duePublications(database: Database, publishing: Publishing, inTransaction: InTransaction): DueWork {
  const isMine = (id: number, lease: string) => sql`id = ${id} AND lease = ${lease}`;
  const describe: DueWork['describe'] = (row) => {
    const { type, entryId, action } = publicationRow(row);
    return { type, id: entryId, action };
  };
  return {
    table,
    columns: COLUMNS,
    describe,
    perform(row, lease) {
      const { id, type, entryId, action } = publicationRow(row);
      return inTransaction(async (inside) => {
        const { changes } = await inside.database.run(deleteRows(table, isMine(id, lease)));
        if (changes > 0) await publishEntry(publishing, inside, { type, id: entryId, action });
        return changes > 0;
      });
    },
    explain: (row, error) => explained(error, publishing.types, publishing.types.types[publicationRow(row).type]),
    async forget(row, lease, error) {
      if (!(error instanceof NotFoundError)) return false;
      await database.run(deleteRows(table, isMine(publicationRow(row).id, lease)));
      return true;
    },
    async refuse(row, lease, error) {
      const { id, type, entryId, action, plannedAt } = publicationRow(row);
      const refusal = refusalOf(error);
      const kept = statement(
        sql`UPDATE ${table} SET state = ${REFUSED}, lease = NULL, reason = ${JSON.stringify(refusal)} WHERE ${isMine(id, lease)}`,
      );
      const content = { id: entryId, action, at: timeText(plannedAt), ...refusal };
      const told = { event: 'schedule.refuse', of: type, content } as const;
      const subject = { action: 'update', type: RELEASE_SUBJECT, id: entryId, told } as const;
      await database.write(async () => ({ subjects: [subject], steps: [kept], answer: () => undefined }));
    },
  };
}
