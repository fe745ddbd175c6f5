/** Shorthands for routes with a single successful response. */
import type { JsonSchema } from './json-schema.ts';
import type { RouteAnswer } from './route.ts';

/** 200. The description is the summary of the route. */
export function ok(schema: JsonSchema): readonly [RouteAnswer] {
  return [{ status: 200, schema }];
}

/** 201. The description is the summary of the route. */
export function created(schema: JsonSchema): readonly [RouteAnswer] {
  return [{ status: 201, schema }];
}
