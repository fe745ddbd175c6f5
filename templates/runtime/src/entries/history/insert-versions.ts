/** The statements that add versions: each reads an entry as it is then. */
import { type ContentType, type ContentTypes, isInverseStorage } from '../../contract/content-type.ts';
import { entriesTable } from '../../contract/states.ts';
import { HISTORY_TABLE } from '../../contract/history/history-table.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import { NewId } from '../../database/new-id.ts';
import { raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Subject, type WritePlan } from '../../database/write-plan.ts';
import { compileContentText } from '../../query/content-text.ts';
import { VERSION_COLUMN } from '../../write/version.ts';
import { type RecordedType, STATES, statesOf } from './recorded-types.ts';

export type Id = number | NewId;

const COLUMNS = raw(
  'subject, state, entry_id, document_id, entry_locale, entry_version, action, since, actor, request_id, renames, content',
);
/** At most so many entries are recorded by one statement. */
const AT_ONCE = 200;

/**
 * Whether rows of the type show lists of their whole entry that others store: links refer to its first row, whose version alone changes
 * with them.
 */
function listsOfEntries({ localized, attributes }: ContentType): boolean {
  return (
    localized &&
    Object.values(attributes).some((one) => one.type === 'relation' && one.shared && isInverseStorage(one.storage))
  );
}

/** Who has written, as JSON. */
function actorOf(caller: Caller | undefined): string {
  const { kind = 'server', userId, tokenId } = caller ?? {};
  const id = tokenId ?? userId;
  return JSON.stringify(id === undefined ? { kind } : { kind, id });
}

/** What a write does, and how it is recorded. */
export interface Write {
  /** By type and id; those of new entries by their `NewId`. */
  readonly actions: ReadonlyMap<string | NewId, string>;
  /** The action of entries that it changes besides. */
  readonly other: string;
  readonly by: WritePlan<unknown>['by'];
  readonly since: number;
}

export function keyOf(uid: string, id: number): string {
  return `${uid} ${id}`;
}

function actionAt({ actions, other }: Write, uid: string, id: Id): string {
  return actions.get(id instanceof NewId ? id : keyOf(uid, id)) ?? other;
}

/** The INSERT of versions, apart from what differs between writes. */
interface Insertion {
  readonly start: Sql;
  /** The alias of the entry's row. */
  readonly alias: Sql;
  /** What follows the values of the write, up to the condition. */
  readonly content: Sql;
  /** The further condition for entries that may already be recorded. */
  readonly isNew: Sql;
  /** The whole statement for one entry: engines know it by its text, which is long. */
  readonly one: string;
  readonly oneIfNew: string;
}

/** Entries to record. */
interface Recorded {
  readonly of: RecordedType;
  readonly which: Sql;
  readonly action: string;
}

export interface VersionInserts {
  /** The versions of entries as they are. */
  versions(dialect: Dialect, of: RecordedType, ids: ReadonlySet<Id>, write: Write): readonly Statement[];
  /** The versions of states that entries no longer have. */
  removals(dialect: Dialect, subjects: readonly Subject[], write: Write): readonly Statement[];
}

export function versionInserts(types: ContentTypes): VersionInserts {
  const renames = raw(String(types.renames?.length ?? 0));
  const insertions = new Map<string, Insertion>();

  function insertionOf(dialect: Dialect, { type, state }: RecordedType): Insertion {
    const key = `${state} ${type.table}`;
    const known = insertions.get(key);
    if (known) return known;
    const text = compileContentText(dialect, types, type);
    const { alias } = text;
    const document = type.documentIds || type.localized ? sql`${alias}.document_id` : raw('NULL');
    const locale = type.localized ? sql`${alias}.locale` : raw('NULL');
    const version = sql`${alias}.${dialect.id(VERSION_COLUMN)}`;
    const of = sql`${dialect.text(type.uid)}, ${raw(String(state))}, ${alias}.id, ${document}, ${locale}, ${version}`;
    const start = sql`INSERT INTO ${dialect.id(HISTORY_TABLE)} (${COLUMNS}) SELECT ${of}, `;
    const same = sql`h.subject = ${dialect.text(type.uid)} AND h.state = ${raw(String(state))} AND h.entry_id = ${alias}.id`;
    const isKnown = sql`SELECT 1 FROM ${dialect.id(HISTORY_TABLE)} AS h WHERE ${same} AND h.entry_version = ${version}`;
    // What visitors see of an entry also changes by publications of others, which its version does not count.
    const isNew = state === STATES.entry ? sql` AND NOT EXISTS (${isKnown})` : raw('');
    const content = sql`${text.text} FROM ${text.from} WHERE `;
    const one = `${start.text}?, ?, ?, ?, ${renames.text}, ${content.text}${alias.text}.id = ?`;
    const made = { start, alias, content, isNew, one, oneIfNew: one + isNew.text };
    insertions.set(key, made);
    return made;
  }

  function written(action: string, { by, since }: Write): Sql {
    return sql`${action}, ${since}, ${actorOf(by?.caller)}, ${by?.requestId ?? null}, ${renames}, `;
  }

  /** Entries that only others have changed may already be recorded. */
  function several(dialect: Dialect, { of, which, action }: Recorded, write: Write): Statement {
    const { start, content, isNew } = insertionOf(dialect, of);
    const further = action === write.other ? isNew : raw('');
    return statement(sql`${start}${written(action, write)}${content}${which}${further}`);
  }

  /** The other rows of the entries, as far as that changes what they contain. */
  function otherRows(dialect: Dialect, of: RecordedType, ids: readonly number[], write: Write): Statement {
    const { type, state } = of;
    const { text, from, alias } = compileContentText(dialect, types, type);
    const table = dialect.id(entriesTable(type));
    const isOther = sql`${alias}.document_id IN (SELECT o.document_id FROM ${table} AS o WHERE ${dialect.isOneOf(raw('o.id'), ids)}) AND NOT (${dialect.isOneOf(sql`${alias}.id`, ids)})`;
    const version = sql`${alias}.${dialect.id(VERSION_COLUMN)}`;
    const rows = sql`SELECT ${alias}.id AS entry_id, ${alias}.document_id AS document_id, ${alias}.locale AS entry_locale, ${version} AS entry_version, ${text} AS content FROM ${from} WHERE ${isOther}`;
    const subject = dialect.text(type.uid);
    const place = raw(String(state));
    const last = sql`SELECT MAX(m.id) FROM ${dialect.id(HISTORY_TABLE)} AS m WHERE m.subject = ${subject} AND m.state = ${place} AND m.entry_id = r.entry_id`;
    const isKnown = sql`SELECT 1 FROM ${dialect.id(HISTORY_TABLE)} AS h WHERE h.id = (${last}) AND h.content = r.content`;
    const values = sql`${subject}, ${place}, r.entry_id, r.document_id, r.entry_locale, r.entry_version, ${written(write.other, write)}r.content`;
    return statement(
      sql`INSERT INTO ${dialect.id(HISTORY_TABLE)} (${COLUMNS}) SELECT ${values} FROM (${rows}) AS r WHERE NOT EXISTS (${isKnown})`,
    );
  }

  function single(dialect: Dialect, of: RecordedType, id: Id, write: Write): Statement {
    const { content, one, oneIfNew } = insertionOf(dialect, of);
    const { by, since, other } = write;
    const action = actionAt(write, of.type.uid, id);
    const values = [action, since, actorOf(by?.caller), by?.requestId ?? null];
    return statement({ text: action === other ? oneIfNew : one, params: [...values, ...content.params, id] });
  }

  return {
    versions(dialect, of, ids, write) {
      const { alias } = insertionOf(dialect, of);
      const known: number[] = [];
      const statements: Statement[] = [];
      for (const one of ids) {
        const id = one instanceof NewId ? (one.known ?? one) : one;
        if (id instanceof NewId || ids.size === 1) statements.push(single(dialect, of, id, write));
        else known.push(id);
      }
      const byAction = new Map<string, number[]>();
      for (const id of known) {
        const action = actionAt(write, of.type.uid, id);
        byAction.set(action, [...(byAction.get(action) ?? []), id]);
      }
      for (const [action, all] of byAction) {
        for (let start = 0; start < all.length; start += AT_ONCE) {
          const which = dialect.isOneOf(sql`${alias}.id`, all.slice(start, start + AT_ONCE));
          statements.push(several(dialect, { of, which, action }, write));
        }
      }
      if (!listsOfEntries(of.type)) return statements;
      const changed = [...ids].flatMap((one) => (one instanceof NewId ? (one.known ?? []) : one));
      for (let start = 0; start < changed.length; start += AT_ONCE) {
        statements.push(otherRows(dialect, of, changed.slice(start, start + AT_ONCE), write));
      }
      return statements;
    },
    removals: (dialect, subjects, write) =>
      subjects.flatMap(({ action, publication, type: uid, id }) => {
        const type = types.types[uid];
        const isDeleted = action === 'delete';
        if (!type?.history || id === undefined || !(isDeleted || publication === 'unpublish')) return [];
        const gone = statesOf(types, type).filter(({ state }) => isDeleted || state === STATES.published);
        return gone.map(({ state }) => {
          const of = sql`${dialect.text(uid)}, ${raw(String(state))}, ${id}, NULL, NULL, 0, `;
          const values = sql`${of}${written(isDeleted ? 'delete' : 'unpublish', write)}NULL`;
          return statement(sql`INSERT INTO ${dialect.id(HISTORY_TABLE)} (${COLUMNS}) VALUES (${values})`);
        });
      }),
  };
}
