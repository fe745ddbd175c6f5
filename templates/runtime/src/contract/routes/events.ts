/** The route `/api/_events`. */
import { ENTRY_EVENTS, MEDIA_EVENTS } from '../events/event-names.ts';
import { ANY_OBJECT, type JsonSchema, object, TEXT } from './json-schema.ts';
import { routeTable } from './route.ts';

/** Schemas by name. */
export const EVENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ToldEvent: object(
    {
      event: { type: 'string', enum: [...ENTRY_EVENTS, ...MEDIA_EVENTS] },
      createdAt: { type: 'string', format: 'date-time' },
      model: { ...TEXT, description: 'The content type: `article`. Absent for files.' },
      uid: TEXT,
      documentId: TEXT,
      locale: TEXT,
      entry: {
        ...ANY_OBJECT,
        description: 'The entry as the caller finds it now; only its ids after it was deleted or unpublished.',
      },
      media: { ...ANY_OBJECT, description: 'In place of `entry`, for files.' },
    },
    ['event', 'createdAt'],
  ),
};

export const EVENT_ROUTES = routeTable([
  {
    id: 'events',
    method: 'GET',
    path: '/api/_events',
    tag: 'events',
    summary:
      'Wait for changes of the entries that the caller may find: server-sent events, whose data is a `ToldEvent` each',
    query: ['eventTypes', 'eventEntry', 'lastEventId'],
    answers: [
      {
        status: 200,
        description: 'Server-sent events, until the client or the server ends the connection.',
        schema: { type: 'string' },
        mediaType: 'text/event-stream',
      },
    ],
    isCounted: true,
    needsAny: true,
    probe: 200,
  },
]);
