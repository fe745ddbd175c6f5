/** Webhooks of a schema, and where their rows are stored. */
import type { EventName } from './event-names.ts';

/** The caches that are told of purges each in its own way. */
export const CACHES = ['varnish', 'fastly', 'cloudflare', 'next'] as const;

export type CacheKind = (typeof CACHES)[number];

/** A receiver of events. Its address and its secret are values of environment variables. */
export interface Webhook {
  /** The variable with the URL, or with the id of a service or zone; it also identifies the receiver. */
  readonly url: string;
  /** The variable with the secret, `whsec_<base64>`, two of them while one replaces the other, or with the token of a service. */
  readonly secret?: string;
  /** Undefined: requests are signed, one for each event. */
  readonly cache?: CacheKind;
  /** Whether the cache may answer with what is purged while it asks for something newer. */
  readonly soft?: true;
  readonly events: readonly EventName[];
  /** The uids of the content types whose entries are told. Media are told whatever they are. */
  readonly types: readonly string[];
}

/** The table of events that are to be told, a row for each event and receiver. */
export const OUTBOX_TABLE = 'outbox';

/** The table of receivers. */
export const RECEIVERS_TABLE = 'outbox_receivers';
