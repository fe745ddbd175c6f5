/**
 * The interface of features: parts of a server with routes of their own, such as accounts, uploads and locales. Features depend on
 * the layers below them and on their host, never on each other. `server/features.ts` lists them.
 */
import type { Context, Middleware } from 'koa';
import type { AdminSettings } from '../contract/admin.ts';
import type { Mailer } from '../base/mailer.ts';
import type { Notice } from '../base/notice.ts';
import type { Siblings } from '../base/siblings.ts';
import type { CostSettings } from '../contract/costs.ts';
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import type { TrustedDocuments } from '../contract/graphql/trusted-documents.ts';
import type { OwnField } from '../contract/graphql/own-fields.ts';
import type { GraphqlSettings } from '../contract/graphql/settings.ts';
import type { WebhookTest } from '../contract/events/webhook-report.ts';
import type { Webhook } from '../contract/events/webhook.ts';
import type { ImageSize } from '../contract/image-sizes.ts';
import type { Rules } from '../contract/policy/rule.ts';
import type { FurtherRoute } from '../contract/routes/entries.ts';
import type { Route } from '../contract/routes/route.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/write-plan.ts';
import type { HookedType, InRelease, ProvideService } from '../entries/context.ts';
import type { FileUrls } from '../query/file-urls.ts';
import type { Reader } from '../query/reader.ts';
import type { OwnRoles } from '../entries/own-roles.ts';
import type { OwnSessions } from '../entries/own-sessions.ts';
import type { EntryServices } from '../entries/create-services.ts';
import type { CallableRoute } from './inner-request.ts';
import type { Logger } from './log.ts';
import type { Handler, RouteMount } from './mount-routes.ts';
import type { CacheTags } from './cache-tags.ts';
import type { Audit } from './audit.ts';
import type { CallerSource } from './caller-source.ts';
import type { PageAccounts } from './page-accounts.ts';
import type { ReadinessCheck } from './readiness.ts';
import type { Timings } from './timings.ts';
import type { Tool } from './tool.ts';

/** Calls of routes that are parts of one transaction. */
export interface CallsInTransaction {
  /** Like `calls` of the host. */
  readonly calls: EntryServices;
  /** The transaction itself. */
  readonly database: Database;
  /** A content type with the project's hooks, in this transaction. */
  hooked(type: ContentType): HookedType;
  /** Undoes what `work` has written if it throws, and nothing else. */
  readonly attempt: Transaction['attempt'];
}

/**
 * Runs `work` in one transaction, committed when it resolves and rolled back when it throws. It may be retried after a deadlock. Hooks
 * that run after a commit run after this one.
 */
export type InTransaction = <T>(work: (inside: CallsInTransaction) => Promise<T>) => Promise<T>;

/** What the server provides to each feature. `Settings` are the ones that the feature reads. */
export interface FeatureHost<Settings> {
  readonly definition: {
    readonly name: string;
    readonly contentTypes: ContentTypes;
    readonly api: ApiSettings;
    /** Uid of a content type of the schema → its routes. */
    readonly routes: Readonly<Record<string, unknown>>;
    /** Role → permissions in the schema. */
    readonly roles: Readonly<Record<string, readonly string[]>>;
    /** Role → rules of these permissions; undefined if the schema has none. */
    readonly rules?: Readonly<Record<string, Rules>>;
    /** The versions that images get; undefined: those of Strapi. */
    readonly imageSizes?: readonly ImageSize[];
    /** Whether uploads can continue where they were cut off. */
    readonly resumableUploads?: true;
    /** Undefined if the server has no admin page. */
    readonly admin?: AdminSettings;
    /** Where the team's own part of the admin page is, if there is one. */
    readonly panel?: URL;
    /** What requests may cost; undefined if that is not counted. */
    readonly costs?: CostSettings;
    /** Whether the server has an audit. */
    readonly audit?: true;
    /** Who is told of events, if anybody is. */
    readonly webhooks?: readonly Webhook[];
    /** Whether the server has jobs. */
    readonly jobs?: boolean;
    /** Undefined if the server has no GraphQL. */
    readonly graphql?: GraphqlSettings;
  };
  readonly settings: Settings;
  readonly database: Database;
  /** Whether the tables exist already. Otherwise they are created later. */
  readonly isMigrated: boolean;
  readonly reader: Reader;
  /** Signs the addresses of files; undefined if whoever knows them may read the files. */
  readonly fileUrls: FileUrls | undefined;
  /** A content type with the project's hooks. */
  hooked(type: ContentType): HookedType;
  /** Gives the project's own code the entries of a built-in type. */
  provide(uid: string, service: ProvideService): void;
  /** Undefined if the server sends no mail. */
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
  /** The other processes of this server. */
  readonly siblings: Siblings;
  /** The tags of caches; undefined if answers have none. */
  readonly tags: CacheTags | undefined;
  /** Measures where the time of requests goes; undefined if nobody is told. */
  readonly timings: Timings | undefined;
  /** Undefined if the server has no audit. */
  readonly audit: Audit | undefined;
  /** Sends a request that tests a webhook, by the variable with its URL; undefined if the server has none. */
  readonly testWebhook: ((name: string) => Promise<WebhookTest>) | undefined;
  /** Told after the commit of each write that has put events into the event log; undefined if there is none. */
  readonly written: Notice | undefined;
  /** Whether code of the project decides what is found of a type: actions, policies and hooks. */
  isReadByOwnCode(uid: string): boolean;
  readonly services: EntryServices;
  /**
   * What the generated routes do, for callers that send no request to them: with the permission, the policies and the action of the
   * route. Throws ForbiddenError, also if something of the route needs a request.
   */
  readonly calls: EntryServices;
  /** A built-in route by its id; undefined if this server doesn't have it. Call it after the start. */
  route(id: string): Promise<CallableRoute | undefined>;
  readonly inTransaction: InTransaction;
  /** The endpoints that are fields of GraphQL, too. */
  readonly ownFields: readonly OwnEndpoint[];
  /** Documents of GraphQL that requests may name. */
  readonly trustedDocuments: TrustedDocuments;
  /** The tools of all features. Call it after the start. */
  tools(): readonly Tool[];
  /** Sessions for pages. Call it after the start. Rejects if no feature has accounts. */
  pageAccounts(): Promise<PageAccounts>;
  /** Who sends a request, now and later. Call it after the start. */
  callerSource(ctx: Context): CallerSource;
  /** The OpenAPI document as JSON: that of the schema, extended by the endpoints that are declared in code. */
  describe(): Promise<string>;
}

/** Routes of a feature below those of each content type, such as `/api/articles/{id}/schedule`. */
export interface TypeMount {
  routesOf(type: ContentType): readonly FurtherRoute[];
  /** Their handlers by action. Called by the first request to one of them. */
  handlersOf(type: ContentType): Promise<Readonly<Record<string, Handler>>>;
}

/** An endpoint of the project that is a field of GraphQL, too. */
export interface OwnEndpoint {
  readonly route: CallableRoute;
  readonly field: OwnField;
}

export interface Feature<Settings> {
  /** For error messages. */
  readonly name: string;
  /** Its rows of the table of routes. Their permissions are the ones of the feature. */
  readonly routes: readonly Route[];
  /** Opens the feature's resources. An error aborts the start of the server; its message is shown to people. */
  start(host: FeatureHost<Settings>): Promise<RunningFeature>;
}

/** A feature that has been started. */
export interface RunningFeature {
  /** All its routes with their handlers. */
  readonly mounts: readonly RouteMount[];
  /** Routes below those of content types. They take precedence over those, whose ids could have the same names. */
  readonly ofTypes?: TypeMount;
  readonly middleware?: {
    /** For responses outside of the API, such as files. Runs before authentication. */
    readonly assets?: Middleware;
    /** Runs for every request to the API, in the order of the features, before the project's own middleware. */
    readonly api?: Middleware;
  };
  /** Sessions for pages that the server delivers. */
  pageAccounts?(): Promise<PageAccounts>;
  /** Who sends a request, now and later. */
  callerSource?(ctx: Context): CallerSource;
  /** Sessions for the project's own code. */
  ownSessions?(): Promise<OwnSessions>;
  /** Roles for the project's own code. */
  ownRoles?(): Promise<OwnRoles>;
  /** The number of schedules and releases that wait for their time. */
  waiting?(): Promise<number>;
  /** Reads in releases. */
  readonly inRelease?: InRelease;
  /** Tools for agents. */
  readonly tools?: readonly Tool[];
  /** Part of `GET /_ready`. */
  readonly readiness?: ReadinessCheck;
  /** Called once the server accepts connections, and not awaited. `url` is local to the machine, and ends in `/`. */
  readonly listening?: ((url: string) => Promise<void>) | undefined;
  /** Called when the server begins to stop: ends requests that would otherwise last, and refuses further ones. */
  drain?(): void;
  /** For tests: moves the time, does what is due by then, and resolves once it is done. */
  advance?(milliseconds: number): Promise<void>;
  /** Stops background work. Called after all requests have ended, before the database is closed. */
  stop?(): Promise<void>;
}
