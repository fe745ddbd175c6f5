/** Sets up authentication and permissions. */
import { ACCESS_ROUTES } from '../../contract/routes/access.ts';
import { AUTH_ROUTES } from '../../contract/routes/auth.ts';
import { USER_ROUTES } from '../../contract/routes/users.ts';
import type { WorkerSlot } from '../../base/siblings.ts';
import type { Feature, FeatureHost, RunningFeature } from '../../http/feature.ts';
import { createAttemptCounter } from '../../http/limits/create-counter.ts';
import { mountRoutes, type RouteMount } from '../../http/mount-routes.ts';
import { createAccess } from '../../access/access.ts';
import { differences } from '../../access/difference.ts';
import { knownPermissions } from '../../contract/policy/permissions.ts';
import { readRoles } from '../../access/role-rows.ts';
import type { AuthSettings } from './auth-settings.ts';
import { authenticate, authenticateCookies } from './authenticate.ts';
import { callerSources } from './caller-sources.ts';
import { createAuthenticator } from './authenticator.ts';
import { lazyImport } from '../../base/lazy-import.ts';
import { createBackground } from './background.ts';
import type { AuthContext } from './context.ts';
import { createEndedSessions } from './ended-sessions.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createSecret } from './secrets.ts';
import { createSessionCookie } from './session-cookie.ts';
import { createSessions } from './sessions.ts';
import { createTokenCallers } from './token-callers.ts';
import { userCollection } from './user-collection.ts';
import { createUserStates } from './user-states.ts';

/** The part of the server settings that concerns accounts. */
interface Settings {
  readonly worker: WorkerSlot | undefined;
  readonly jwtSecret: string | undefined;
  readonly auth: AuthSettings;
}

type AuthOptions = FeatureHost<Settings>;

function createContext(options: AuthOptions): AuthContext {
  const { database, definition, settings, reader, mailer, logger, siblings } = options;
  const { name, contentTypes: types, api, rules, admin } = definition;
  const { auth } = settings;
  const userType = types.types['user'];
  if (!userType) throw new Error('this server has no type "user": generate it again');
  const access = createAccess(database, definition, siblings);
  const background = createBackground(logger);
  const users = createUserStates(database);
  const secret = settings.jwtSecret ?? createSecret();
  const { tokenLifetime, sessionLifetime: lifetime, adminSession } = auth;
  const sessions = createSessions({ secret, name, audience: name, tokenLifetime, lifetime });
  const { idle, lifetime: whole } = adminSession;
  const ofPage = { secret, name, audience: `${name} admin`, tokenLifetime: idle, lifetime: whole };
  return {
    database,
    reader,
    types,
    hasRules: rules !== undefined,
    userType,
    hooked: options.hooked(userType),
    unknownAttributes: api.unknownAttributes,
    settings: auth,
    access,
    sessions,
    cookie: admin && createSessionCookie(name, createSessions(ofPage), idle),
    ended: createEndedSessions(database),
    users,
    tokens: createTokenCallers({
      database,
      users,
      access,
      everything: knownPermissions(types),
      needsConfirmation: auth.emailConfirmation,
      background: background.run,
    }),
    limits: createRateLimits(createAttemptCounter(database, settings), auth.rateLimit),
    mailer,
    audit: options.audit,
    background,
    logger,
  };
}

function mountsOf(context: AuthContext): readonly RouteMount[] {
  return [
    mountRoutes(AUTH_ROUTES, async () => (await import('./auth-routes.ts')).authHandlers(context)),
    mountRoutes(USER_ROUTES, async () => (await import('./users-routes.ts')).userHandlers(context)),
    mountRoutes(ACCESS_ROUTES, async () => (await import('./access-routes.ts')).accessHandlers(context)),
  ];
}

/** Warns about permissions in the database that differ from the schema. They are never changed automatically. */
async function reportDifferences({ database, definition, logger }: AuthOptions): Promise<void> {
  const found = differences(definition, await readRoles(database, definition.rules !== undefined));
  if (found.length === 0) return;
  logger.warn(
    { roles: found.map(({ role, missing, further, changed }) => ({ role, missing, further, changed })) },
    'the permissions in the database differ from the schema: npm run server -- permissions status lists the differences, apply removes them',
  );
}

/** Starts the feature. Throws if email confirmation is required but no mail can be sent. */
async function openAuth(options: AuthOptions): Promise<RunningFeature> {
  const context = createContext(options);
  const { settings, mailer, access, cookie, background } = context;
  if (settings.emailConfirmation && (!mailer || settings.publicUrl === undefined)) {
    throw new Error('AUTH_EMAIL_CONFIRMATION needs mail: set SMTP_URL, MAIL_FROM and PUBLIC_URL.');
  }
  if (options.isMigrated) {
    await access.refresh();
    await reportDifferences(options);
  }
  const authenticator = createAuthenticator({ ...context, needsConfirmation: settings.emailConfirmation });
  const { userType } = context;
  options.provide('user', ({ hooked, ...place }) => userCollection({ ...context, ...place, hooked: hooked(userType) }));
  const loadOwnSessions = lazyImport(() => import('./session-service.ts'));
  const loadOwnRoles = lazyImport(() => import('./roles-of-code.ts'));
  const loadPages = lazyImport(() => import('./page-accounts.ts'));
  return {
    mounts: mountsOf(context),
    middleware: { api: cookie ? authenticateCookies(authenticator, cookie) : authenticate(authenticator) },
    callerSource: callerSources(authenticator, cookie),
    pageAccounts: async () => (await loadPages()).pageAccounts(context),
    ownRoles: async () => (await loadOwnRoles()).ownRoles(context),
    ownSessions: async () => (await loadOwnSessions()).ownSessions(context, authenticator),
    stop: () => background.finish(),
  };
}

/** Users, roles and sign-in; identifies the caller of each request. */
export const auth: Feature<Settings> = {
  name: 'auth',
  routes: [...AUTH_ROUTES, ...USER_ROUTES, ...ACCESS_ROUTES],
  start: openAuth,
};
