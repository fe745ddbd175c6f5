/** What one caller is told of some events: read with its rights and rules, as requests of it would. */
import type { ApiSettings, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { HttpError } from '../../contract/errors.ts';
import { MEDIA_TYPE } from '../../contract/events/event-names.ts';
import { type Caller, may, mayFind, ruleOf } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { typeName } from '../../contract/type-name.ts';
import type { EntryServices } from '../../entries/create-services.ts';
import { TOLD_V4, V5 } from '../../query/format.ts';
import { queryOf } from '../../query/query-of.ts';
import type { LoggedEvent } from './event-rows.ts';

/** What the callers' views depend on. */
export interface Views {
  readonly contentTypes: ContentTypes;
  readonly api: ApiSettings;
  readonly calls: EntryServices;
  /** Whether code of the project decides what is found of the type. */
  isReadByOwnCode(uid: string): boolean;
}

/** The most entries that are read at a time. */
const AT_ONCE = 50;

/** An event of which the entry is gone for those who are told. */
function isEnd({ event }: LoggedEvent): boolean {
  return event === 'entry.delete' || event === 'media.delete' || event === 'entry.unpublish';
}

/** Whether the caller finds all entries of the type: nothing of what is gone tells whether it could have been found otherwise. */
function findsAll({ isReadByOwnCode }: Views, caller: Caller, type: ContentType): boolean {
  const action = may(caller, 'find', type.uid) ? 'find' : 'findOne';
  const isNarrowed =
    ruleOf(caller, action, type.uid) !== undefined || ruleOf(caller, 'preview', type.uid) !== undefined;
  return !isNarrowed && !isReadByOwnCode(type.uid);
}

/** Whether the caller may be told of the event, if it finds the entry. */
function concerns(views: Views, caller: Caller, type: ContentType, event: LoggedEvent): boolean {
  if (!mayFind(caller, type.uid)) return false;
  if (!event.isShown && !hasRight(caller, 'drafts', type.uid)) return false;
  return !isEnd(event) || findsAll(views, caller, type);
}

interface Asked {
  readonly caller: Caller;
  readonly type: ContentType;
  readonly isDraft: boolean;
}

/** Runs a read; undefined if the caller is refused, or finds nothing. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof HttpError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

function parametersOf({ api }: Views, { type, isDraft }: Asked): Readonly<Record<string, unknown>> {
  const isV5 = api.format === 'v5';
  const state = isV5 ? { status: 'draft' } : { publicationState: 'preview' };
  return { ...(type.localized && { locale: isV5 ? '*' : 'all' }), ...(isDraft && type.draftAndPublish && state) };
}

/** The entries among `ids` that the caller finds, as JSON, by id. */
async function readSome(views: Views, asked: Asked, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const { api, calls } = views;
  const { caller, type } = asked;
  const format = api.format === 'v5' ? V5 : TOLD_V4;
  const parameters = parametersOf(views, asked);
  const request = (more: object) => ({ caller, format, query: queryOf({ ...parameters, ...more }) });
  if (type.kind === 'singleType') {
    const answer = await unlessRefused(() => calls.single(type.uid).find(request({})));
    return byId(answer ? [answer.entry()] : []);
  }
  const collection = calls.collection(type.uid);
  if (may(caller, 'find', type.uid)) {
    const more = { filters: { id: { $in: ids } }, pagination: { pageSize: ids.length, withCount: false } };
    return byId((await unlessRefused(() => collection.find(request(more))))?.entries() ?? []);
  }
  const answers = await Promise.all(ids.map((id) => unlessRefused(() => collection.findOne(id, request({})))));
  return byId(answers.map((answer) => answer?.entry()));
}

function byId(entries: readonly unknown[]): ReadonlyMap<number, string> {
  const found = entries.filter((entry) => typeof entry === 'object' && entry !== null);
  return new Map(found.map((entry) => [Number((entry as { id?: unknown }).id), JSON.stringify(entry)]));
}

async function readAll(views: Views, asked: Asked, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const size = Math.min(AT_ONCE, views.api.maxPageSize);
  const found = new Map<number, string>();
  for (let start = 0; start < ids.length; start += size) {
    for (const [id, text] of await readSome(views, asked, ids.slice(start, start + size))) found.set(id, text);
  }
  return found;
}

/** The JSON of an event, with that of its entry. */
function textOf({ event, type, since, documentId, locale }: LoggedEvent, entry: string): string {
  const isMedia = type === MEDIA_TYPE;
  const head = JSON.stringify({
    event,
    createdAt: new Date(since).toISOString(),
    ...(!isMedia && { model: type, uid: typeName(type) }),
    ...(documentId !== undefined && { documentId }),
    ...(locale !== undefined && { locale }),
  });
  return `${head.slice(0, -1)},"${isMedia ? 'media' : 'entry'}":${entry}}`;
}

function goneText({ entryId: id, documentId }: LoggedEvent): string {
  return JSON.stringify({ id, ...(documentId !== undefined && { documentId }) });
}

/** The texts of those of the events that the caller is told, by position. */
export async function toldTexts(
  views: Views,
  caller: Caller,
  events: readonly LoggedEvent[],
): Promise<ReadonlyMap<number, string>> {
  const { types } = views.contentTypes;
  const told = new Map<number, string>();
  const reads = new Map<string, { readonly asked: Asked; readonly events: LoggedEvent[] }>();
  for (const event of events) {
    const type = types[event.type];
    if (!type || !concerns(views, caller, type, event)) continue;
    if (isEnd(event)) {
      told.set(event.position, textOf(event, goneText(event)));
      continue;
    }
    const isDraft = !event.isShown;
    const key = `${type.uid} ${isDraft}`;
    const read = reads.get(key) ?? { asked: { caller, type, isDraft }, events: [] };
    reads.set(key, read);
    read.events.push(event);
  }
  for (const { asked, events: ofRead } of reads.values()) {
    const ids = [...new Set(ofRead.map(({ entryId }) => entryId))];
    const found = await readAll(views, asked, ids);
    for (const event of ofRead) {
      const entry = found.get(event.entryId);
      if (entry !== undefined) told.set(event.position, textOf(event, entry));
    }
  }
  return told;
}
