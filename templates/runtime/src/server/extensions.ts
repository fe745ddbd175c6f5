/** The team's own code: hooks, routes and middleware, passed to the server by `src/main.ts`. */
import type { Middleware } from 'koa';
import type Router from '@koa/router';
import type { Mailer } from '../base/mailer.ts';
import type { RouteServices } from '../entries/route-services.ts';

/** What the team's own routes are given. */
export interface OwnServices<Entries> extends RouteServices {
  /** The entries of all types, with objects for queries and answers. */
  readonly entries: Entries;
}

/** `Hooks` maps each type to its hooks, `Entries` to its entries: generated. */
export interface Extensions<Hooks, Entries = unknown> {
  readonly hooks?: { readonly [Uid in keyof Hooks]?: Hooks[Uid] };
  /** Routes beside the generated ones. They are matched first, so they may also replace one. */
  routes?(router: Router, services: OwnServices<Entries>): void;
  /** Sends mail in place of SMTP. */
  readonly mailer?: Mailer;
  /** Around every request, in order, inside of error handling and logging. */
  readonly middleware?: readonly Middleware[];
}
