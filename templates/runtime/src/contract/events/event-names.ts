/** The events that are told to others, named as in Strapi. */

/** Of the entries of a content type. */
export const ENTRY_EVENTS = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
] as const;

/** Of files. */
export const MEDIA_EVENTS = ['media.create', 'media.update', 'media.delete'] as const;

/** Of releases and schedules, in schemas that have them. */
export const RELEASE_EVENTS = ['release.publish', 'release.revert', 'release.refuse', 'schedule.refuse'] as const;

/** Of caches: which tags no longer hold. */
export const CACHE_EVENTS = ['cache.purge'] as const;

export const EVENT_NAMES = [...ENTRY_EVENTS, ...MEDIA_EVENTS, ...RELEASE_EVENTS, ...CACHE_EVENTS] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The built-in type whose entries are told as media. */
export const MEDIA_TYPE = 'file';

/** What of a write its events depend on. */
interface EventSubject {
  readonly action: 'create' | 'update' | 'delete' | 'import';
  readonly type: string;
  readonly publication?: 'publish' | 'unpublish' | undefined;
}

/** The events of a write's subject, in the order in which they are told. */
export function eventsOf({ action, type, publication }: EventSubject): readonly EventName[] {
  if (action === 'import') return [];
  if (type === MEDIA_TYPE) return [`media.${action}`];
  return publication ? [`entry.${action}`, `entry.${publication}`] : [`entry.${action}`];
}

/** The subject of events about releases. No content type has this name. */
export const RELEASE_SUBJECT = 'releases';

/** The subject of what is done to webhooks. No content type has this name. */
export const WEBHOOK_SUBJECT = 'webhooks';

/** The event of a receiver's test. */
export const TEST_EVENT = 'trigger-test';
