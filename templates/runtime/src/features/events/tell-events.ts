/** Sends events to subscribers: what callers with the same rights find is read once for all of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UnauthorizedError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import type { Logger } from '../../http/log.ts';
import type { EventIds } from './event-ids.ts';
import type { LoggedEvent } from './event-rows.ts';
import { isInterested, type Subscriber } from './subscriber.ts';
import { toldTexts, type Views } from './told-entries.ts';

/** To how many clients is sent before the process turns to other requests. */
const SENT_AT_ONCE = 25;
/** How many callers are looked up at the same time. */
const CALLERS_AT_ONCE = 20;

export interface TellingOptions {
  readonly views: Views;
  /** The same for callers who find the same. */
  readonly viewKey: (caller: Caller) => string;
  readonly ids: EventIds;
  readonly logger: Logger;
}

export interface Telling {
  /** Tells events, in their order, to those that have not been told them. */
  tell(members: readonly Subscriber[], events: readonly LoggedEvent[]): Promise<void>;
  /** The caller of each subscriber, by the key of its source; a stream whose credentials are no longer valid ends. */
  callersOf(members: readonly Subscriber[]): Promise<ReadonlyMap<string, Caller>>;
  /** Ends streams that were not told something. */
  fail(members: Iterable<Subscriber>, error: unknown): void;
}

/** The subscribers with the same rights, and the events that concern any of them. */
interface View {
  readonly caller: Caller;
  readonly members: Subscriber[];
  readonly events: Set<LoggedEvent>;
}

/** The members, with turns for other requests between them. */
export async function* inTurns<T>(members: readonly T[]): AsyncGenerator<T, void, undefined> {
  for (let start = 0; start < members.length; start += SENT_AT_ONCE) {
    if (start > 0) await nextTurn();
    yield* members.slice(start, start + SENT_AT_ONCE);
  }
}

/** Those of the events that the subscriber is interested in, and was not told. */
function lacking(member: Subscriber, events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  return events.filter((event) => event.position > member.position && isInterested(member.interest, event));
}

export function createTelling({ views, viewKey, ids, logger }: TellingOptions): Telling {
  function fail(members: Iterable<Subscriber>, error: unknown): void {
    logger.warn({ err: error }, 'events could not be read for some clients: their streams are ended, and resume');
    for (const member of members) member.end();
  }

  async function callersOf(members: readonly Subscriber[]): Promise<ReadonlyMap<string, Caller>> {
    const byKey = new Map(members.map((member) => [member.source.key, member]));
    const open = [...byKey.values()];
    const callers = new Map<string, Caller>();
    const look = async (): Promise<void> => {
      for (let member = open.pop(); member; member = open.pop()) {
        try {
          callers.set(member.source.key, await member.source.caller());
        } catch (error) {
          if (!(error instanceof UnauthorizedError)) logger.warn({ err: error }, 'the caller of a stream is unknown');
        }
      }
    };
    await Promise.all(Array.from({ length: CALLERS_AT_ONCE }, look));
    for (const member of members) if (!callers.has(member.source.key)) member.end();
    return callers;
  }

  async function viewsOf(members: readonly Subscriber[], events: readonly LoggedEvent[]): Promise<Iterable<View>> {
    const concerned = members.filter((member) => lacking(member, events).length > 0);
    const callers = await callersOf(concerned);
    const found = new Map<string, View>();
    for (const member of concerned) {
      const caller = callers.get(member.source.key);
      if (!caller) continue;
      const key = viewKey(caller);
      const view = found.get(key) ?? { caller, members: [], events: new Set<LoggedEvent>() };
      found.set(key, view);
      view.members.push(member);
      for (const event of lacking(member, events)) view.events.add(event);
    }
    return found.values();
  }

  async function tellView({ caller, members, events }: View): Promise<void> {
    try {
      const ordered = [...events].sort((a, b) => a.position - b.position);
      const texts = await toldTexts(views, caller, ordered);
      const blocks = ordered.flatMap((event): [LoggedEvent, string][] => {
        const text = texts.get(event.position);
        if (text === undefined) return [];
        return [[event, `id: ${ids.write(event.position)}\nevent: ${event.event}\ndata: ${text}\n\n`]];
      });
      for await (const member of inTurns(members)) {
        const own = blocks.filter(
          ([event]) => event.position > member.position && isInterested(member.interest, event),
        );
        if (own.length > 0) member.send(own.map(([, block]) => block).join(''));
        member.position = Math.max(member.position, ordered.at(-1)?.position ?? 0);
      }
    } catch (error) {
      fail(members, error);
    }
  }

  async function tell(members: readonly Subscriber[], events: readonly LoggedEvent[]): Promise<void> {
    for (const view of await viewsOf(members, events)) await tellView(view);
    const last = events.at(-1)?.position ?? 0;
    for (const member of members) if (member.position < last) member.position = last;
  }

  return { tell, callersOf, fail };
}
