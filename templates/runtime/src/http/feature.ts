/**
 * A part of a server that has routes of its own: accounts, uploads, locales. Features know the layers below them and what the server
 * hands them, never each other; the server knows a list of them.
 */
import type { Middleware } from 'koa';
import type { AdminSettings } from '../contract/admin.ts';
import type { Mailer } from '../base/mailer.ts';
import type { Instances } from '../base/instances.ts';
import type { Siblings } from '../base/siblings.ts';
import type { ApiSettings, ContentType, ContentTypes } from '../contract/content-type.ts';
import type { Route } from '../contract/routes/route.ts';
import type { Database } from '../database/database.ts';
import type { HookedType } from '../entries/context.ts';
import type { Reader } from '../query/reader.ts';
import type { EntryServices } from '../entries/create-services.ts';
import type { Logger } from './log.ts';
import type { RouteMount } from './mount-routes.ts';
import type { PageAccounts } from './page-accounts.ts';
import type { ReadinessCheck } from './readiness.ts';
import type { Tool } from './tool.ts';

/** What the server hands to each feature. `Settings` are those that the feature reads. */
export interface FeatureHost<Settings> {
  readonly definition: {
    readonly name: string;
    readonly contentTypes: ContentTypes;
    readonly api: ApiSettings;
    /** Of the types that have entries, by uid. */
    readonly modules: Readonly<Record<string, unknown>>;
    /** Role → what the schema lets it do. */
    readonly roles: Readonly<Record<string, readonly string[]>>;
    /** Undefined: there is no page for editors. */
    readonly admin?: AdminSettings;
  };
  readonly settings: Settings;
  readonly database: Database;
  /** Whether the database has its tables; where it has not, they come later. */
  readonly isMigrated: boolean;
  readonly reader: Reader;
  /** A type with the team's hooks around its writes. */
  hooked(type: ContentType): HookedType;
  /** Undefined where the server sends no mail. */
  readonly mailer: Mailer | undefined;
  readonly logger: Logger;
  /** The other processes of this server. */
  readonly siblings: Siblings;
  /** The other instances, where they share more than the database. */
  readonly instances: Instances | undefined;
  readonly services: EntryServices;
  /** The tools of all features, once they have started. */
  tools(): readonly Tool[];
  /** Signing in to a page, once the features have started. Rejects where no feature has accounts. */
  pageAccounts(): Promise<PageAccounts>;
  /** The OpenAPI document of the server, as JSON: that of the schema, with the endpoints that are declared in code. */
  describe(): Promise<string>;
}

export interface Feature<Settings> {
  /** For messages. */
  readonly name: string;
  /** Its rows of the table; their permissions are what it can be permitted. */
  readonly routes: readonly Route[];
  /** Opens what it works with. Throws with a message for people, which ends the start. */
  start(host: FeatureHost<Settings>): Promise<RunningFeature>;
}

/** A feature of a server that runs. */
export interface RunningFeature {
  /** The handlers of all its routes. */
  readonly mounts: readonly RouteMount[];
  readonly middleware?: {
    /** For answers that are no API's, such as files: before anybody is recognised. */
    readonly assets?: Middleware;
    /** Around every request to the API, in the order of the features, and before the team's own. */
    readonly api?: Middleware;
  };
  /** For pages that the server delivers. */
  pageAccounts?(): Promise<PageAccounts>;
  /** What agents can do with it. */
  readonly tools?: readonly Tool[];
  /** What `GET /_ready` asks. */
  readonly readiness?: ReadinessCheck;
  /** Once the server accepts connections, at this URL of its own machine, which ends in `/`. Nobody waits for it. */
  readonly listening?: ((url: string) => Promise<void>) | undefined;
  /** Ends what goes on beside the requests, once they have ended and before the database is closed. */
  stop?(): Promise<void>;
}
