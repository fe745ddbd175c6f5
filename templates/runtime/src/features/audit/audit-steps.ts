/** The statements that record a write, as part of its transaction. */
import { AUDIT_LOG_TABLE } from '../../contract/audit/audit-log.ts';
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { eventsOf, MEDIA_TYPE } from '../../contract/events/event-names.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Subject, type Writer } from '../../database/write-plan.ts';
import type { Added, Augment } from '../../write/augment.ts';
import { actorOf, type Doer } from './actor.ts';

const COLUMNS = raw(
  'event, subject, subject_id, document_id, entry_locale, since, actor_kind, actor_id, request_id, address, details',
);

/** Types whose events have names of their own, other than those of entries. */
const ACCOUNTS: ReadonlySet<string> = new Set(['user', 'role', 'token']);

/** What is recorded of a subject: a publication in addition to the change that it comes with. */
function namesOf(types: ContentTypes, subject: Subject): readonly string[] {
  const { action, type, told, recorded } = subject;
  if (action === 'import') return ['import'];
  const named = recorded ?? told;
  if (named) return [named.event];
  // Its last use.
  if (type === 'token' && action === 'update') return [];
  const isEntry = Object.hasOwn(types.types, type) && !ACCOUNTS.has(type);
  return isEntry || type === MEDIA_TYPE ? eventsOf(subject) : [`${type}.${action}`];
}

interface Recorded {
  readonly event: string;
  readonly type: string | undefined;
  readonly id: number | NewId | undefined;
  readonly since: number;
  readonly by: Doer;
  readonly details?: object;
}

function byColumns({ since, by, details }: Recorded): Sql {
  const { actor, requestId, address } = by;
  const text = details === undefined ? null : JSON.stringify(details);
  return sql`${since}, ${actor.kind}, ${actor.id ?? null}, ${requestId ?? null}, ${address ?? null}, ${text}`;
}

/** The row of something that is no entry. */
export function plainRow({ id: quoted }: Dialect, recorded: Recorded): Statement {
  const { event, type, id } = recorded;
  return statement(
    sql`INSERT INTO ${quoted(AUDIT_LOG_TABLE)} (${COLUMNS}) VALUES (${event}, ${type ?? null}, ${id ?? null}, NULL, NULL, ${byColumns(recorded)})`,
  );
}

/** The row of an entry, with what identifies it. */
function entryRow({ id: quoted }: Dialect, type: ContentType, recorded: Recorded): Statement {
  const document = raw(type.documentIds || type.localized ? 't.document_id' : 'NULL');
  const locale = raw(type.localized ? 't.locale' : 'NULL');
  const values = sql`${recorded.event}, ${recorded.type ?? null}, t.id, ${document}, ${locale}, ${byColumns(recorded)}`;
  return statement(
    sql`INSERT INTO ${quoted(AUDIT_LOG_TABLE)} (${COLUMNS}) SELECT ${values} FROM ${quoted(type.table)} t WHERE t.id = ${recorded.id ?? 0}`,
  );
}

/** Who has written: what the write says of itself is exact; what doesn't is part of the request that is being answered. */
function writerOf(by: Writer | undefined, doing: Doer): Doer {
  if (!by) return doing;
  const isSame = by.requestId === doing.requestId;
  return { actor: actorOf(by.caller), requestId: by.requestId, address: isSame ? doing.address : undefined };
}

/** Creates what records each write. `doing`: who does what this process does now. */
export function auditSteps(types: ContentTypes, doing: () => Doer, clock: () => number = Date.now): Augment {
  return ({ subjects, by }, { dialect }): Added => {
    const before: Statement[] = [];
    const after: Statement[] = [];
    const since = clock();
    const writer = writerOf(by, doing());
    const seen = new Set<string>();
    for (const subject of subjects) {
      const { action, id, told, recorded: own } = subject;
      const uid = (own ?? told)?.of ?? subject.type;
      const key = `${action} ${subject.type} ${typeof id === 'number' ? id : ''}`;
      if (typeof id === 'number' || id === undefined) {
        if (seen.has(key)) continue;
        seen.add(key);
      }
      const type = Object.hasOwn(types.types, uid) ? types.types[uid] : undefined;
      for (const event of namesOf(types, subject)) {
        const recorded: Recorded = {
          event,
          type: uid,
          id,
          since,
          by: writer,
          ...(own?.details && { details: own.details }),
        };
        const isRow = type !== undefined && id !== undefined && action !== 'import';
        const row = isRow ? entryRow(dialect, type, recorded) : plainRow(dialect, recorded);
        (action === 'delete' ? before : after).push(row);
      }
    }
    return { before, after };
  };
}
