/** The team's own code: hooks, routes and middleware, passed to the server by `src/main.ts`. */
import type { Context, Middleware } from 'koa';
import type Router from '@koa/router';
import type { Mailer } from '../base/mailer.ts';
import type { Endpoint, EndpointTools } from './endpoints.ts';
import type { ExtensionContext } from '../entries/extension-context.ts';
import type { RouteServices } from '../entries/route-services.ts';

/** What the team's own routes are given, and what runs beside the requests. */
export interface OwnServices<Entries> extends RouteServices, ExtensionContext<Entries> {
  /** The same context in a request: its log has the id of that. */
  contextOf(ctx: Context): ExtensionContext<Entries>;
  /** True in one of the processes of a server (`WORKERS`): for schedules and whatever else should run once. */
  readonly runsJobs: boolean;
}

/** `Hooks` maps each type to its hooks, `Entries` to its entries: generated. */
export interface Extensions<Hooks, Entries = unknown> {
  readonly hooks?: { readonly [Uid in keyof Hooks]?: Hooks[Uid] };
  /** Routes with their permission, body and answer: checked, typed and described as the generated ones are. */
  endpoints?(tools: EndpointTools<Entries>): readonly Endpoint[];
  /** Any other routes, matched before all of these, so that they may also replace one. */
  routes?(router: Router, services: OwnServices<Entries>): void;
  /** Before the server accepts requests; if it throws, the server does not start. */
  onStart?(services: OwnServices<Entries>): void | Promise<void>;
  /** When the last request has ended, before the database is closed. */
  onStop?(services: OwnServices<Entries>): void | Promise<void>;
  /** Creates the content to develop with: `npm run seed`. */
  seed?(services: OwnServices<Entries>): void | Promise<void>;
  /** Sends mail in place of SMTP. */
  readonly mailer?: Mailer;
  /** Around every request, in order, inside of error handling and logging. */
  readonly middleware?: readonly Middleware[];
}
