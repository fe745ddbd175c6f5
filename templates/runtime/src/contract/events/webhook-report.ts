/** How the events of a server are told, as `/api/_webhooks` answers it. */

/** A webhook of the schema. Its URL and secrets are in no answer. */
export interface WebhookReport {
  /** The variable with its URL: `SITE_HOOK`. */
  readonly name: string;
  readonly events: readonly string[];
  readonly types: readonly string[];
  /** In ISO 8601; null: it is told. */
  readonly disabledAt: string | null;
  /** Why it is disabled. */
  readonly reason: string | null;
  /** Failures in a row. */
  readonly failures: number;
  /** Events that wait; counted up to 10,000. */
  readonly waiting: number;
}

export const DELIVERY_STATES = ['pending', 'told', 'given-up'] as const;

/** An event for a webhook. */
export interface DeliveryReport {
  readonly id: number;
  readonly event: string;
  /** The type and the id of what it is about. */
  readonly type: string;
  readonly entryId: number;
  /** In ISO 8601. */
  readonly since: string;
  readonly state: (typeof DELIVERY_STATES)[number];
  /** When a pending one is tried next, in ISO 8601. */
  readonly dueAt: string | null;
  /** The last tries; `at` in ISO 8601, `took` in milliseconds; no status: there was no answer. */
  readonly tries: readonly {
    readonly at: string;
    readonly took: number;
    readonly status?: number;
    readonly error?: string;
  }[];
}

/** How a test was answered. */
export interface WebhookTest {
  /** The status of the answer; null: there was none. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: string | null;
  /** In milliseconds. */
  readonly took: number;
}
