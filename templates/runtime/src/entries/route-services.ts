/** What generated routes and the team's own routes are given. */
import type { Middleware } from 'koa';
import type { AnyAction } from '../contract/policy/caller.ts';
import type { CollectionService, SingleService } from './service.ts';

export interface RouteServices {
  /** The entries of a collection type. Throws for an unknown uid: a defect. */
  readonly collection: (uid: string) => CollectionService;
  /** The entry of a single type. */
  readonly single: (uid: string) => SingleService;
  /** Lets a request pass only if its caller may do this: `allow('article', 'find')`. Else 403. */
  readonly allow: (uid: string, action: AnyAction) => Middleware;
}
