/** The answers of routes that have one. */
import type { JsonSchema } from './json-schema.ts';
import type { RouteAnswer } from './route.ts';

/** 200, described by the summary of the route. */
export function ok(schema: JsonSchema): readonly [RouteAnswer] {
  return [{ status: 200, schema }];
}

/** 201, described by the summary of the route. */
export function created(schema: JsonSchema): readonly [RouteAnswer] {
  return [{ status: 201, schema }];
}
