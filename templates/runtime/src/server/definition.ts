/** What a server is created from: the generated definition, and the project's own code. */
import type { Router } from '../base/common-js.ts';
import type { AdminSettings } from '../contract/admin.ts';
import type { GraphqlSettings } from '../contract/graphql/settings.ts';
import type { CostSettings } from '../contract/costs.ts';
import type { ApiSettings, ContentTypes } from '../contract/content-type.ts';
import type { ImageSize } from '../contract/image-sizes.ts';
import type { Webhook } from '../contract/events/webhook.ts';
import type { Rules } from '../contract/policy/rule.ts';
import type { TypeHooks } from '../entries/hooks.ts';
import type { RouteServices } from '../entries/route-services.ts';
import type { AnyEntries } from '../entries/typed/any-entries.ts';
import type { AnyActions } from './actions/action-types.ts';
import type { Extensions } from './extensions.ts';

/** The generated routes of a content type of the schema. */
export type TypeRoutes = (services: RouteServices) => Router;

/** A generated project: everything derived from its schema. */
export interface ServerDefinition {
  readonly name: string;
  readonly contentTypes: ContentTypes;
  readonly api: ApiSettings;
  /** Role → its permissions: `article.find`. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Role → the rules of its permissions, if the schema has any. Then those in the database have a column for them. */
  readonly rules?: Readonly<Record<string, Rules>>;
  /**
   * The routes of each content type of the schema, by uid. They are loaded on first use, or else once the server listens, so that a
   * start takes as long with a thousand types as with ten.
   */
  readonly routes: Readonly<Record<string, () => Promise<TypeRoutes>>>;
  /** The folder `migrations/`. */
  readonly migrations: URL;
  /** The file `openapi.json`. */
  readonly openapi: URL;
  /** Whether the documentation is served: always, only in development, or never. */
  readonly docs: boolean | 'development';
  /** Whether there is an MCP server for agents at `/mcp`. */
  readonly mcp: boolean;
  /** GraphQL at `/graphql`, if there is. */
  readonly graphql?: GraphqlSettings;
  /** The versions that uploaded images get, if not those of Strapi. */
  readonly imageSizes?: readonly ImageSize[];
  /** Whether uploads can continue where they were cut off. */
  readonly resumableUploads?: true;
  /** The page for editors at `/admin`, if there is one. */
  readonly admin?: AdminSettings;
  /** Where the team's own part of that page is, if there is one. */
  readonly panel?: URL;
  /** Who is told of events, if anybody is. */
  readonly webhooks?: readonly Webhook[];
  /** Whether answers name what they depend on, for caches. */
  readonly cacheTags?: true;
  /** What requests may cost, if that is counted. */
  readonly costs?: CostSettings;
  /** Whether it is recorded who did what. */
  readonly audit?: true;
  /** Whether clients can wait for events. */
  readonly events?: boolean;
  /** Whether there are tables for jobs. */
  readonly jobs?: boolean;
}

/** Extensions with untyped hooks; the generated `defineExtensions` types them. */
export type AnyExtensions = Extensions<Record<string, TypeHooks>, AnyEntries, Record<string, AnyActions>>;
