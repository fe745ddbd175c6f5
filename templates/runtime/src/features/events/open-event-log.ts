/** The event log of a server: what its writes put there. */
import { createNotice, type Notice } from '../../base/notice.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import { noticedWrites } from '../../write/noticed-writes.ts';
import { eventSteps, toldTypes } from './event-steps.ts';
import type { ToldUpdates } from '../../write/told-updates.ts';

export interface OpenedEventLog {
  /** The uids of the types whose updates are told. */
  readonly tellsUpdates: ToldUpdates;
  /** Told after writes with events. */
  readonly written: Notice;
  /** A database whose writes put their events into the log. */
  telling(database: Database): Database;
}

export function openEventLog(definition: {
  readonly contentTypes: ContentTypes;
  readonly routes: Readonly<Record<string, unknown>>;
}): OpenedEventLog {
  const { contentTypes, routes } = definition;
  const types = toldTypes(contentTypes, routes);
  const written = createNotice();
  return {
    tellsUpdates: new Map(types.map(({ uid }) => [uid, 'each'])),
    written,
    telling: (database) => noticedWrites(database, eventSteps(contentTypes, types), () => written.tell()),
  };
}
