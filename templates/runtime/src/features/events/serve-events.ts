/** `GET /api/_events`: answers with a stream of server-sent events. */
import type { Context } from 'koa';
import { tooManyRequests } from '../../base/too-many-requests.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { BadRequestError, ForbiddenError, ServiceUnavailableError } from '../../contract/errors.ts';
import { type Caller, mayFind } from '../../contract/policy/caller.ts';
import type { Database } from '../../database/database.ts';
import { callerName } from '../../http/caller-name.ts';
import type { CallerSource } from '../../http/caller-source.ts';
import { callerOf } from '../../http/request.ts';
import type { EventHub } from './event-hub.ts';
import type { EventIds } from './event-ids.ts';
import { countAfter, isKept } from './event-rows.ts';
import type { EventSettings } from './event-settings.ts';
import { createSubscriber, type Interest } from './subscriber.ts';

/** Whoever has missed more is not told them, but that. */
const MOST_MISSED = 10_000;
/** After how long those that are refused may try again, in seconds. */
const RETRY_AFTER = 30;
/** How soon clients come back, in milliseconds: varied, so that they don't all at once. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 4000;

export interface EventServer {
  readonly database: Database;
  /** The types whose events are told. */
  readonly types: readonly ContentType[];
  readonly hub: EventHub;
  readonly ids: EventIds;
  readonly settings: EventSettings;
  callerSource(ctx: Context): CallerSource;
  isDraining(): boolean;
}

/** The connections of each caller or address. */
function createShares(most: number): (name: string) => () => void {
  const counts = new Map<string, number>();
  return (name) => {
    const count = counts.get(name) ?? 0;
    if (count >= most) {
      throw tooManyRequests(RETRY_AFTER * 1000, `${most} connections wait for events already: end one of them`);
    }
    counts.set(name, count + 1);
    return () => {
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) counts.set(name, left);
      else counts.delete(name);
    };
  };
}

/** The types that the request names. Throws BadRequestError for one that does not exist, ForbiddenError for one that is not found. */
function namedTypes(types: readonly ContentType[], caller: Caller, names: readonly string[]): readonly ContentType[] {
  return names.map((name) => {
    const type = types.find(({ uid }) => uid === name);
    if (!type) throw new BadRequestError(`Invalid parameter types: there is no type ${JSON.stringify(name)}`);
    if (!mayFind(caller, type.uid)) throw new ForbiddenError({ reason: `${caller.role} lacks ${name}.find` });
    return type;
  });
}

function interestOf(ctx: Context, types: readonly ContentType[], caller: Caller): Interest {
  const query = new URLSearchParams(ctx.querystring);
  const names = query.getAll('types').flatMap((text) => text.split(',').filter((name) => name !== ''));
  const entry = query.get('id') ?? undefined;
  if (entry !== undefined && new Set(names).size !== 1) {
    throw new BadRequestError('Invalid parameter id: types must name the one type of the entry');
  }
  const named = namedTypes(types, caller, names);
  const found = names.length > 0 ? named : types.filter(({ uid }) => mayFind(caller, uid));
  if (found.length === 0) throw new ForbiddenError({ reason: `${caller.role} may find no entries` });
  return { types: new Set(found.map(({ uid }) => uid)), entry };
}

/** From where the client is told, and whether it has missed events that it is not told. */
async function startOf(
  { database, hub, ids }: EventServer,
  lastId: string,
): Promise<{ readonly position: number; readonly hasMissed: boolean }> {
  const present = await hub.present();
  if (lastId === '') return { position: present, hasMissed: false };
  const position = ids.read(lastId);
  const isKnown = position !== undefined && (await isKept(database, position));
  if (isKnown && (await countAfter(database, position, MOST_MISSED + 1)) <= MOST_MISSED) {
    return { position, hasMissed: false };
  }
  return { position: present, hasMissed: true };
}

/** The handler, for a server that may be draining. */
export function serveEvents(server: EventServer): (ctx: Context) => Promise<void> {
  const { hub, ids, settings, types } = server;
  const share = createShares(settings.maxPerCaller);
  let opening = 0;

  async function open(ctx: Context, interest: Interest): Promise<void> {
    const { position, hasMissed } = await startOf(server, ctx.get('last-event-id'));
    const source = server.callerSource(ctx);
    const subscriber = createSubscriber(ctx.res, { source, interest, position });
    ctx.body = subscriber.stream;
    const pause = Math.round(SHORTEST_PAUSE + Math.random() * (LONGEST_PAUSE - SHORTEST_PAUSE));
    const reset = hasMissed ? 'event: reset\ndata: {}\n' : '';
    subscriber.send(`retry: ${pause}\nid: ${ids.write(position)}\n${reset}\n`);
    hub.add(subscriber);
  }

  return async (ctx) => {
    const interest = interestOf(ctx, types, callerOf(ctx));
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Accel-Buffering', 'no');
    ctx.status = 200;
    ctx.type = 'text/event-stream';
    if (ctx.method === 'HEAD') return;
    if (server.isDraining() || hub.count() + opening >= settings.maxConnections) {
      const reason = new Error('EVENTS_MAX_CONNECTIONS wait for events, or the server stops');
      throw new ServiceUnavailableError(RETRY_AFTER, reason, 'No further connection can wait for events');
    }
    const leave = share(callerName(ctx));
    ctx.req.socket.once('close', leave);
    ctx.res.once('close', leave);
    opening += 1;
    try {
      await open(ctx, interest);
    } finally {
      opening -= 1;
    }
  };
}
