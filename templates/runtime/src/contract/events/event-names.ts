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

export const EVENT_NAMES = [...ENTRY_EVENTS, ...MEDIA_EVENTS] as const;

export type EventName = (typeof EVENT_NAMES)[number];

/** The built-in type whose entries are told as media. */
export const MEDIA_TYPE = 'file';

/** The event of a receiver's test. */
export const TEST_EVENT = 'trigger-test';
