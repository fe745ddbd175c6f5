/** The services for generated routes and the project's own routes. */
import type { Middleware } from 'koa';
import type { AnyAction } from '../contract/policy/caller.ts';
import type { CollectionService, SingleService } from './service.ts';

export interface RouteServices {
  /** The entries of a collection type. Throws for an unknown uid, which is a defect. */
  readonly collection: (uid: string) => CollectionService;
  /** The entry of a single type. */
  readonly single: (uid: string) => SingleService;
  /** Middleware that responds with 403 unless the caller has one of the permissions: `allow('article', 'update', 'draft')`. */
  readonly allow: (uid: string, action: AnyAction, or?: AnyAction) => Middleware;
}
