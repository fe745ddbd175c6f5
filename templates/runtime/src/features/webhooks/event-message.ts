/** The message of an event: the body of Strapi's webhooks, with an id, the version of the entry, and who has written. */
import { createHash } from 'node:crypto';
import { CACHE_EVENTS, MEDIA_TYPE, RELEASE_SUBJECT, TEST_EVENT } from '../../contract/events/event-names.ts';
import { typeName } from '../../contract/type-name.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { type Message, signedHeaders } from './sign.ts';

/** The entry is put in as it is: it is JSON already. */
export function messageOf(row: OutboxRow): Message {
  const { type, entry, documentId, locale } = row;
  const id = `evt_${row.id}`;
  const head = { event: row.event, createdAt: new Date(row.since).toISOString() };
  if (row.event === CACHE_EVENTS[0]) return purgeMessage([row]);
  const isOwn = type === MEDIA_TYPE || type === RELEASE_SUBJECT;
  const what = isOwn ? {} : { model: type, uid: typeName(type) };
  const rest = {
    ...(documentId !== undefined && { documentId }),
    ...(locale !== undefined && { locale }),
    ...(row.requestId !== undefined && { requestId: row.requestId }),
    id,
    version: row.version,
    actor: JSON.parse(row.actor) as unknown,
  };
  const [before, after] = [JSON.stringify({ ...head, ...what }), JSON.stringify(rest)];
  const name = type === MEDIA_TYPE ? 'media' : type === RELEASE_SUBJECT ? 'release' : 'entry';
  return { id, body: `${before.slice(0, -1)},"${name}":${entry},${after.slice(1)}` };
}

/** The tags that a purge names. */
export function tagsOf({ entry }: OutboxRow): readonly string[] {
  return JSON.parse(entry) as string[];
}

/** The message of purges. Others together have another id: a receiver may ignore an id that it has seen. */
export function purgeMessage(rows: readonly OutboxRow[]): Message {
  const ids = rows.map((row) => row.id);
  const [first = 0] = ids;
  const rest = ids.length > 1 ? `_${createHash('sha256').update(ids.join()).digest('base64url').slice(0, 16)}` : '';
  const id = `evt_${first}${rest}`;
  const createdAt = new Date(Math.min(...rows.map(({ since }) => since))).toISOString();
  const tags = [...new Set(rows.flatMap(tagsOf))];
  return { id, body: JSON.stringify({ event: CACHE_EVENTS[0], createdAt, id, tags }) };
}

/** A message that tests a receiver. */
export function testMessage(now: number): Message {
  const id = `evt_test_${now}`;
  return { id, body: JSON.stringify({ event: TEST_EVENT, createdAt: new Date(now).toISOString(), id }) };
}

/** The headers of a try. */
export function headersOf(
  event: string,
  message: Message,
  { keys, now }: { readonly keys: readonly Buffer[]; readonly now: number },
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': 'content-gen',
    'x-strapi-event': event,
    ...signedHeaders(message, keys, now),
  };
}
