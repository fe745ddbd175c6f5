/** Sets up authentication and permissions of a server. */
import type { ApiSettings, ContentTypes } from '../../contract/content-type.ts';
import type { Database } from '../../database/database.ts';
import type { LateRouter } from '../../http/dispatch.ts';
import type { Logger } from '../../http/log.ts';
import { createAccess } from '../../access/access.ts';
import { differences } from '../../access/difference.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
import { readRoles, type RolePermissions } from '../../access/role-rows.ts';
import { createReader } from '../../query/reader.ts';
import type { AuthSettings } from './auth-settings.ts';
import { createAuthenticator, type Authenticator } from './authenticator.ts';
import { createBackground } from './background.ts';
import type { AuthContext } from './context.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { logMailer } from './mail/log-mailer.ts';
import type { Mailer } from './mail/mailer.ts';
import { smtpMailer } from './mail/smtp.ts';
import { createSecret } from './secrets.ts';
import { createSessions } from './sessions.ts';
import { createTokenCallers } from './token-callers.ts';
import { createUserStates } from './user-states.ts';

export interface Auth {
  readonly authenticator: Authenticator;
  /** The routes of users, roles and authentication. */
  readonly routes: readonly LateRouter[];
  /** Waits for background work, such as sending mail. */
  close(): Promise<void>;
}

export interface AuthOptions {
  readonly database: Database;
  readonly definition: {
    readonly name: string;
    readonly contentTypes: ContentTypes;
    readonly api: ApiSettings;
    readonly roles: RolePermissions;
  };
  readonly settings: {
    readonly production: boolean;
    readonly jwtSecret: string | undefined;
    readonly auth: AuthSettings;
  };
  /** The team's own mailer; by default SMTP by the settings, or the log outside production. */
  readonly mailer: Mailer | undefined;
  readonly logger: Pick<Logger, 'warn' | 'error' | 'info'>;
}

async function openMailer({ mailer, settings, logger }: AuthOptions): Promise<Mailer | undefined> {
  if (mailer) return mailer;
  if (settings.auth.smtp) return smtpMailer(settings.auth.smtp);
  return settings.production ? undefined : logMailer(logger);
}

async function createContext(options: AuthOptions): Promise<AuthContext> {
  const { database, definition, settings, logger } = options;
  const { name, contentTypes: types, api, roles } = definition;
  const { auth } = settings;
  const userType = types.types['user'];
  if (!userType) throw new Error('this server has no type "user": generate it again');
  const access = createAccess(database, roles);
  const background = createBackground(logger);
  const users = createUserStates(database);
  return {
    database,
    reader: createReader({ database, types, api }),
    types,
    userType,
    unknownAttributes: api.unknownAttributes,
    settings: auth,
    access,
    sessions: createSessions({
      secret: settings.jwtSecret ?? createSecret(),
      name,
      tokenLifetime: auth.tokenLifetime,
      lifetime: auth.sessionLifetime,
    }),
    users,
    tokens: createTokenCallers({
      database,
      users,
      sets: access.sets,
      everything: knownPermissions(types),
      background: background.run,
    }),
    limits: createRateLimits(database, auth.rateLimit),
    mailer: await openMailer(options),
    background,
    logger,
  };
}

function routesOf(context: AuthContext): readonly LateRouter[] {
  return [
    { prefix: '/api/auth', load: async () => (await import('./auth-routes.ts')).authRoutes(context) },
    { prefix: '/api/users', load: async () => (await import('./users-routes.ts')).usersRoutes(context) },
    { prefix: '/api/users-permissions', load: async () => (await import('./access-routes.ts')).accessRoutes(context) },
  ];
}

/** Logs how the permissions in the database differ from the schema. Only people change them. */
async function reportDifferences({ database, definition, logger }: AuthOptions): Promise<void> {
  const found = differences(definition.roles, await readRoles(database));
  if (found.length === 0) return;
  logger.warn(
    { roles: found.map(({ role, missing, further }) => ({ role, missing, further })) },
    'the permissions in the database are not those of the schema: npm run permissions -- status shows, apply changes them',
  );
}

/**
 * Opens users and permissions. `isReady`: whether the tables exist; otherwise roles are created once they do. Throws if
 * email confirmation is required but no mail can be sent.
 */
export async function openAuth(options: AuthOptions, isReady: boolean): Promise<Auth> {
  const context = await createContext(options);
  const { settings, mailer, access, sessions, users, tokens, background } = context;
  if (settings.emailConfirmation && (!mailer || settings.publicUrl === undefined)) {
    throw new Error('AUTH_EMAIL_CONFIRMATION needs mail: set SMTP_URL, MAIL_FROM and PUBLIC_URL.');
  }
  if (isReady) {
    await access.refresh();
    await reportDifferences(options);
  }
  return {
    authenticator: createAuthenticator({
      access,
      sessions,
      users,
      tokens,
      needsConfirmation: settings.emailConfirmation,
    }),
    routes: routesOf(context),
    async close() {
      await background.finish();
      mailer?.close?.();
    },
  };
}
