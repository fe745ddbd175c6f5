/** Webhooks of a schema, and where their rows are stored. */
import type { EventName } from './event-names.ts';

/** A receiver of events. Its address and its secret are values of environment variables. */
export interface Webhook {
  /** The variable with the URL, which also identifies the receiver. */
  readonly url: string;
  /** The variable with the secret: `whsec_<base64>`; two of them while one replaces the other. */
  readonly secret: string;
  readonly events: readonly EventName[];
  /** The uids of the content types whose entries are told. Media are told whatever they are. */
  readonly types: readonly string[];
}

/** The table of events that are to be told, a row for each event and receiver. */
export const OUTBOX_TABLE = 'outbox';

/** The table of receivers. */
export const RECEIVERS_TABLE = 'outbox_receivers';
