/** The statements that put the events of a write into the event log, as part of its transaction. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { EVENT_LOG_TABLE } from '../../contract/events/event-log.ts';
import { eventsOf, MEDIA_TYPE } from '../../contract/events/event-names.ts';
import { inState } from '../../contract/states.ts';
import type { Dialect } from '../../database/dialect.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Subject } from '../../database/write-plan.ts';
import type { Added, Augment } from '../../write/augment.ts';

/** The types whose events are told: those of the schema, and files. */
export function toldTypes({ types }: ContentTypes, own: Readonly<Record<string, unknown>>): readonly ContentType[] {
  return Object.values(types).filter(({ uid }) => uid === MEDIA_TYPE || Object.hasOwn(own, uid));
}

/** 1 if visitors are concerned, 0 if only a draft has changed; of a deletion, whether the entry was published. */
function shownOf(
  { id }: Dialect,
  types: ContentTypes,
  { type, subject }: { readonly type: ContentType; readonly subject: Subject },
): Sql {
  if (!type.draftAndPublish) return raw('1');
  if (subject.action !== 'delete') return raw('0');
  const { table } = inState(types, type, true);
  return sql`CASE WHEN EXISTS (SELECT 1 FROM ${id(table)} p WHERE p.id = t.id) THEN 1 ELSE 0 END`;
}

/** Creates what adds the events to each write. `types` are those whose events are told. */
export function eventSteps(
  contentTypes: ContentTypes,
  types: readonly ContentType[],
  clock: () => number = Date.now,
): Augment {
  const told = new Map(types.map((type) => [type.uid, type]));
  const columns = raw('event, subject, entry_id, document_id, entry_locale, shown, since');

  function insertions(dialect: Dialect, type: ContentType, subject: Subject, now: number): readonly Statement[] {
    const { id, text } = dialect;
    const document = raw(type.documentIds || type.localized ? 't.document_id' : 'NULL');
    const locale = raw(type.localized ? 't.locale' : 'NULL');
    const shown = shownOf(dialect, contentTypes, { type, subject });
    return eventsOf(subject).map((event) => {
      const isPublication = event === 'entry.publish' || event === 'entry.unpublish';
      const values = sql`${text(event)}, ${text(type.uid)}, t.id, ${document}, ${locale}, ${isPublication ? raw('1') : shown}, ${now}`;
      return statement(
        sql`INSERT INTO ${id(EVENT_LOG_TABLE)} (${columns}) SELECT ${values} FROM ${id(type.table)} t WHERE t.id = ${subject.id ?? 0}`,
      );
    });
  }

  return ({ subjects }, { dialect }): Added => {
    const before: Statement[] = [];
    const after: Statement[] = [];
    const now = clock();
    const seen = new Set<string>();
    for (const subject of subjects) {
      const type = told.get(subject.type);
      if (!type || subject.id === undefined) continue;
      if (typeof subject.id === 'number') {
        const key = `${subject.action} ${subject.type} ${subject.id}`;
        if (seen.has(key)) continue;
        seen.add(key);
      }
      (subject.action === 'delete' ? before : after).push(...insertions(dialect, type, subject, now));
    }
    return { before, after };
  };
}
