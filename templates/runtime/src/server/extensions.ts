/** The project's own code: hooks, routes and middleware, passed to the server by `src/main.ts`. */
import type { Context, Middleware } from 'koa';
import type Router from '@koa/router';
import type { Mailer } from '../base/mailer.ts';
import type { Endpoint, EndpointTools } from './endpoints.ts';
import type { CommandTools, OwnCommand } from './own-commands.ts';
import type { TrustedDocuments } from '../contract/graphql/trusted-documents.ts';
import type { Jobs } from '../entries/own-jobs.ts';
import type { EveryTypeHooks } from '../entries/hook-types.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import type { RouteServices } from '../entries/route-services.ts';

/** What the project's own routes receive, and its code that runs outside of requests. */
export interface OwnServices<Entries> extends RouteServices, ExtensionContext<Entries> {
  /** The context within a request, whose log messages have the request id. */
  contextOf(ctx: Context): ExtensionContext<Entries>;
  /** True in exactly one process of a server (`WORKERS`): for schedules and other work that should run once. */
  readonly runsJobs: boolean;
}

/** The project's extensions. `Hooks` maps each type to its hooks, `Entries` to its
 * entries, `Actions` to its actions; all three are generated. */
export interface Extensions<Hooks, Entries = unknown, Actions = unknown> {
  /** The hooks of each type; those of `'*'` run for all types, before the type's own. */
  readonly hooks?: { readonly [Uid in keyof Hooks]?: Hooks[Uid] } & { readonly '*'?: EveryTypeHooks<Entries> };
  /** Code around the generated routes of each type. */
  readonly actions?: { readonly [Uid in keyof Actions]?: Actions[Uid] };
  /** Routes with permission, body and response: validated, typed and documented like the generated ones. */
  endpoints?(tools: EndpointTools<Entries>): readonly Endpoint[];
  /** Commands: `npm run server -- send-digest`. */
  commands?(tools: CommandTools<Entries>): Readonly<Record<string, OwnCommand>>;
  /** Jobs: schedules, and work after a request. `defineJobs` makes them, in a project whose schema has `jobs: true`. */
  readonly jobs?: Jobs<unknown>;
  /** Documents of GraphQL that requests may name by their hash: what `npm run server -- graphql trust` writes. */
  readonly trustedDocuments?: TrustedDocuments;
  /** Any other routes. They are matched before all others, so they can also replace one. */
  routes?(router: Router, services: OwnServices<Entries>): void;
  /** Runs before the server accepts requests. If it throws, the server doesn't start. */
  onStart?(services: OwnServices<Entries>): void | Promise<void>;
  /** Runs after the last request has ended, before the database is closed. */
  onStop?(services: OwnServices<Entries>): void | Promise<void>;
  /** Creates content for development: `npm run server -- seed`. */
  seed?(services: OwnServices<Entries>): void | Promise<void>;
  /** Sends mail instead of SMTP. */
  readonly mailer?: Mailer;
  /** Wraps every request, in order, inside error handling and logging. */
  readonly middleware?: readonly Middleware[];
}
