/** The dependencies shared by all account code. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import type { HookedType } from '../../entries/context.ts';
import type { Database } from '../../database/database.ts';
import type { Audit } from '../../http/audit.ts';
import type { Logger } from '../../http/log.ts';
import type { Access } from '../../access/access.ts';
import type { Reader } from '../../query/reader.ts';
import type { AuthSettings } from './auth-settings.ts';
import type { Background } from './background.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Mailer } from '../../base/mailer.ts';
import type { EndedSessions } from './ended-sessions.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import type { TokenCallers } from './token-callers.ts';
import type { UserStates } from './user-states.ts';

export interface AuthContext {
  readonly database: Database;
  readonly reader: Reader;
  readonly types: ContentTypes;
  /** Whether the schema has rules, so that roles in the database have some. */
  readonly hasRules: boolean;
  /** The built-in type `user`. */
  readonly userType: ContentType;
  /** The type `user` with the project's hooks. */
  readonly hooked: HookedType;
  readonly unknownAttributes: 'reject' | 'ignore';
  readonly settings: AuthSettings;
  readonly access: Access;
  readonly sessions: Sessions;
  /** Cookie sessions of the admin page; undefined without an admin page. */
  readonly cookie: SessionCookie | undefined;
  readonly ended: EndedSessions;
  readonly users: UserStates;
  readonly tokens: TokenCallers;
  readonly limits: RateLimits;
  /** Undefined if the server sends no mail. */
  readonly mailer: Mailer | undefined;
  /** Undefined if the server has no audit. */
  readonly audit: Audit | undefined;
  readonly background: Background;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}
