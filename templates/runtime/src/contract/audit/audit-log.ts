/** The audit: who did what. */

/** The table of the audit, a row for each change. */
export const AUDIT_LOG_TABLE = 'audit_log';

/** The table with the ends of its chain. */
export const AUDIT_CHAIN_TABLE = 'audit_chain';

/** Events of what is no entry, file or account: plans, and the webhooks of the schema. */
export type RecordedEvent =
  `release.${'create' | 'update' | 'delete'}` | 'schedule.set' | `webhook.${'disable' | 'enable'}`;

/** Who did something: a caller, or `command` for the command line. */
export interface AuditActor {
  readonly kind: 'user' | 'token' | 'public' | 'server' | 'command';
  readonly id?: number;
}

/** A row of the audit, as `/api/_audit` answers it. */
export interface AuditRow {
  readonly id: number;
  /** In ISO 8601. */
  readonly at: string;
  /** `entry.update`, `user.create`, `role.delete`, `user.sign-in`, `refused` */
  readonly event: string;
  readonly actor: AuditActor;
  /** A content type, `user`, `role`, `token`, `releases` or `webhooks`; null if none is concerned. */
  readonly type: string | null;
  readonly subjectId: number | null;
  readonly documentId: string | null;
  readonly locale: string | null;
  readonly requestId: string | null;
  readonly address: string | null;
  /** What else is known, such as how often it was done. */
  readonly details: Readonly<Record<string, string | number | null>> | null;
  /** The place in the chain, and its hash; null until the row is in it. */
  readonly position: number | null;
  readonly hash: string | null;
}
