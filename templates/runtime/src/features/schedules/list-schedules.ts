/** The schedules of all entries that a caller may update. */
import { COLUMN_NAMES } from '../../contract/column-names.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { may } from '../../contract/policy/caller.ts';
import type { Database } from '../../database/database.ts';
import { raw, sql } from '../../database/sql.ts';
import type { HookedType } from '../../entries/context.ts';
import { amongWhich } from '../../entries/rules/action-rules.ts';
import { visibleAmong } from '../../entries/visible-entry.ts';
import type { CallContext } from '../../query/entry-request.ts';
import { nextRows, type PublicationRow } from './publication-rows.ts';
import { scheduleView, type ScheduleView } from './schedule-view.ts';

const MOST = 1000;

interface Host {
  readonly database: Database;
  readonly types: ContentTypes;
  hooked(type: ContentType): HookedType;
}

export interface ListedSchedule extends ScheduleView {
  readonly type: string;
  readonly id: number;
  readonly documentId?: string;
  readonly locale?: string;
}

/** By id: what identifies the entries that the caller may update. */
async function reachedEntries(
  { database, hooked }: Host,
  type: ContentType,
  ids: readonly number[],
  call: CallContext,
): Promise<ReadonlyMap<number, Pick<ListedSchedule, 'documentId' | 'locale'>>> {
  const context = hooked(type);
  const seen = [...(await visibleAmong(context, ids, call))];
  const reached = [...(await amongWhich(context, seen, call, { question: 'update' }))];
  if (reached.length === 0) return new Map();
  const { id, isOneOf } = database.dialect;
  const hasDocuments = type.documentIds === true || type.localized;
  const columns = raw(`id${hasDocuments ? ', document_id' : ''}${type.localized ? ', locale' : ''}`);
  const rows = await database.all(sql`SELECT ${columns} FROM ${id(type.table)} WHERE ${isOneOf(raw('id'), reached)}`);
  return new Map(
    rows.map((row) => [
      Number(row['id']),
      {
        ...(hasDocuments && { documentId: String(row[COLUMN_NAMES.documentId]) }),
        ...(type.localized && { locale: String(row['locale']) }),
      },
    ]),
  );
}

function byEntry(rows: readonly PublicationRow[]): readonly (readonly PublicationRow[])[] {
  const found = new Map<number, PublicationRow[]>();
  for (const row of rows) found.set(row.entryId, [...(found.get(row.entryId) ?? []), row]);
  return [...found.values()];
}

export async function listSchedules(host: Host, call: CallContext): Promise<readonly ListedSchedule[]> {
  const { database, types } = host;
  const scheduled = Object.values(types.types).filter(
    ({ schedules, uid }) => schedules === true && may(call.caller, 'update', uid),
  );
  const rows = await nextRows(
    database,
    scheduled.map(({ uid }) => uid),
    MOST,
  );
  const listed: ListedSchedule[] = [];
  for (const type of scheduled) {
    const theirs = byEntry(rows.filter((row) => row.type === type.uid));
    const ids = theirs.flatMap(([row]) => row?.entryId ?? []);
    const reached = await reachedEntries(host, type, ids, call);
    for (const ofEntry of theirs) {
      const id = ofEntry[0]?.entryId ?? 0;
      const named = reached.get(id);
      if (named) listed.push({ type: type.uid, id, ...named, ...scheduleView(ofEntry) });
    }
  }
  return listed;
}
