/** The statements that put the events of a write into the outbox, as part of its transaction. */
import type { ApiSettings, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type EventName, eventsOf, MEDIA_TYPE } from '../../contract/events/event-names.ts';
import { OUTBOX_TABLE, type Webhook } from '../../contract/events/webhook.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { NewId } from '../../database/new-id.ts';
import { join, raw, sql, type Sql } from '../../database/sql.ts';
import { statement, type Statement, type Subject, type Writer } from '../../database/write-plan.ts';
import type { CacheTags } from '../../http/cache-tags.ts';
import { compileEntryText, type EntryText } from '../../query/entry-text.ts';
import type { Added, Augment } from '../../write/augment.ts';
import type { ToldUpdates } from '../../write/told-updates.ts';
import { VERSION_COLUMN } from '../../write/version.ts';

interface Told {
  /** Finds the tags of caches that no longer hold after a write; undefined if there are none. */
  readonly purge?: CacheTags['purge'] | undefined;
  readonly types: ContentTypes;
  readonly api: ApiSettings;
  readonly webhooks: readonly Webhook[];
}

/** The names of those who are told the event of a type. */
function receiversOf({ webhooks }: Told, event: EventName, uid: string): readonly string[] {
  return webhooks
    .filter(({ events, types }) => events.includes(event) && (uid === MEDIA_TYPE || types.includes(uid)))
    .map(({ url }) => url);
}

/** Who has written, as JSON. */
function actorOf(caller: Caller | undefined): string {
  const { kind = 'server', userId, tokenId } = caller ?? {};
  const id = tokenId ?? userId;
  return JSON.stringify(id === undefined ? { kind } : { kind, id });
}

/** The INSERT before the values of a write, between them and the id of its entry, and after that; it reads the entry as it is then. */
type Insertion = readonly [start: Sql, middle: Sql, end: Sql];

/** An event, and the names of those who are told it. */
interface ToldEvent {
  readonly event: EventName;
  readonly receivers: readonly string[];
}

function insertionOf(
  { id, text: literal, name }: Dialect,
  type: ContentType,
  { alias, from, text }: EntryText,
  events: readonly ToldEvent[],
): Insertion {
  const all = events.flatMap(({ event, receivers }) => receivers.map((receiver) => [event, receiver] as const));
  const named = all.map(
    ([event, receiver], index) =>
      sql`SELECT ${raw(String(index))} AS place, ${literal(event)} AS event, ${literal(receiver)} AS receiver`,
  );
  const document = type.documentIds || type.localized ? sql`${alias}.document_id` : raw('NULL');
  const locale = type.localized ? sql`${alias}.locale` : raw('NULL');
  const version = sql`${alias}.${id(VERSION_COLUMN)}`;
  const columns = raw(
    'event, receiver, subject, entry_id, document_id, entry_locale, entry_version, entry, state, attempts, actor, request_id, since, due_at',
  );
  const entry = sql`${alias}.id AS entry_id, ${document} AS document_id, ${locale} AS entry_locale, ${version} AS entry_version, ${text} AS entry`;
  const values = sql`r.event, r.receiver, ${literal(type.uid)}, w.entry_id, w.document_id, w.entry_locale, w.entry_version, w.entry, 0, 0, `;
  // PostgreSQL would otherwise build the text again for each event.
  const once = raw(name === 'postgres' ? ' OFFSET 0' : '');
  return [
    sql`INSERT INTO ${id(OUTBOX_TABLE)} (${columns}) SELECT ${values}`,
    sql` FROM (SELECT ${entry} FROM ${from} WHERE ${alias}.id = `,
    sql`${once}) w CROSS JOIN (${join(named, ' UNION ALL ')}) r ORDER BY r.place`,
  ];
}

/** The rows of an event that is not about an entry as it is stored. */
function ownRows(
  { webhooks }: Told,
  { id }: Dialect,
  { type, id: about, told }: Subject,
  { by, now }: { readonly by: Writer | undefined; readonly now: number },
): readonly Statement[] {
  if (!told) return [];
  const receivers = webhooks.filter(
    ({ events, types }) => events.includes(told.event) && (told.of === undefined || types.includes(told.of)),
  );
  const columns = raw(
    'event, receiver, subject, entry_id, entry_version, entry, state, attempts, actor, request_id, since, due_at',
  );
  return receivers.map(({ url }) => {
    const values = sql`${told.event}, ${url}, ${told.of ?? type}, ${about ?? 0}, 0, ${JSON.stringify(told.content)}, 0, 0, ${actorOf(by?.caller)}, ${by?.requestId ?? null}, ${now}, ${now}`;
    return statement(sql`INSERT INTO ${id(OUTBOX_TABLE)} (${columns}) VALUES (${values})`);
  });
}

/** The most tags of a row: what every service takes in one request. */
const TAGS_IN_ROW = 100;

/** The rows that tell caches what no longer holds. */
function purgeRows(
  receivers: readonly string[],
  { id }: Dialect,
  [subject]: readonly Subject[],
  { tags, now }: { readonly tags: readonly string[]; readonly now: number },
): readonly Statement[] {
  if (!subject) return [];
  const by = actorOf(undefined);
  const columns = raw(
    'event, receiver, subject, entry_id, entry_version, entry, state, attempts, actor, since, due_at',
  );
  const parts = Array.from({ length: Math.ceil(tags.length / TAGS_IN_ROW) }, (_, index) =>
    tags.slice(index * TAGS_IN_ROW, (index + 1) * TAGS_IN_ROW),
  );
  return parts.flatMap((part) =>
    receivers.map((receiver) => {
      const values = sql`'cache.purge', ${receiver}, ${subject.type}, ${subject.id ?? 0}, 0, ${JSON.stringify(part)}, 0, 0, ${by}, ${now}, ${now}`;
      return statement(sql`INSERT INTO ${id(OUTBOX_TABLE)} (${columns}) VALUES (${values})`);
    }),
  );
}

/** Locks the row of an entry that is deleted: the event before has been put into the outbox by then. */
function lockOf({ id, rowLock }: Dialect, { table }: ContentType, row: number | NewId): readonly Statement[] {
  if (rowLock.text === '') return [];
  return [{ sql: sql`SELECT t.id FROM ${id(table)} AS t WHERE t.id = ${row}${rowLock}`, returns: 'rows' }];
}

/** Creates what adds the events to each write. */
export function outboxSteps(told: Told, clock: () => number = Date.now): Augment {
  const { types } = told.types;
  const caches = told.webhooks.flatMap(({ url, events }) => (events.includes('cache.purge') ? [url] : []));
  const texts = new Map<string, EntryText>();
  const insertions = new Map<string, Insertion | undefined>();

  function insertion(dialect: Dialect, type: ContentType, events: readonly EventName[]): Insertion | undefined {
    const key = `${events.join(' ')} ${type.uid}`;
    if (insertions.has(key)) return insertions.get(key);
    const all = events.map((event) => ({ event, receivers: receiversOf(told, event, type.uid) }));
    let made: Insertion | undefined;
    if (all.some(({ receivers }) => receivers.length > 0)) {
      const text = texts.get(type.uid) ?? compileEntryText(dialect, told, type);
      texts.set(type.uid, text);
      made = insertionOf(dialect, type, text, all);
    }
    insertions.set(key, made);
    return made;
  }

  return ({ subjects, by }, { dialect }): Added => {
    const before: Statement[] = [];
    const after: Statement[] = [];
    const now = clock();
    const seen = new Set<string>();
    for (const subject of subjects) {
      const { action, type: uid, id } = subject;
      after.push(...ownRows(told, dialect, subject, { by, now }));
      const type = types[uid];
      if (!type || id === undefined) continue;
      const key = typeof id === 'number' ? `${action} ${uid} ${id}` : undefined;
      const made = key !== undefined && seen.has(key) ? undefined : insertion(dialect, type, eventsOf(subject));
      if (!made) continue;
      if (key !== undefined) seen.add(key);
      const [start, middle, end] = made;
      const values = sql`${actorOf(by?.caller)}, ${by?.requestId ?? null}, ${now}, ${now}`;
      const row = statement(sql`${start}${values}${middle}${id}${end}`);
      if (action === 'delete') before.push(...lockOf(dialect, type, id), row);
      else after.push(row);
    }
    const purge = caches.length === 0 ? undefined : told.purge?.(subjects, dialect);
    if (!purge) return { before, after };
    const store = (tags: readonly string[]) => purgeRows(caches, dialect, subjects, { tags, now });
    return { before: [...purge.before, ...before], after: [...after, ...purge.after(store)] };
  };
}

/** The types whose updates are told to anybody: each of them, or many of them together. */
export function toldUpdates(webhooks: readonly Webhook[], { types }: ContentTypes): ToldUpdates {
  const each = webhooks.flatMap(({ events, types: told }) => (events.includes('entry.update') ? told : []));
  const purges = webhooks.some(({ events }) => events.includes('cache.purge'));
  const all = purges ? Object.keys(types).map((uid): [string, 'together'] => [uid, 'together']) : [];
  return new Map<string, 'each' | 'together'>([...all, ...each.map((uid): [string, 'each'] => [uid, 'each'])]);
}
