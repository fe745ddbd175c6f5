/** The whole of a server's OpenAPI description: what comes from the schema, and the endpoints that are declared in code. */
import { pathsOf } from '../contract/routes/openapi.ts';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { declaredEndpoints, type DeclaresEndpoints, endpointRoutes } from './mount-endpoints.ts';

interface Description {
  readonly paths: Readonly<Record<string, JsonSchema>>;
}

/**
 * `generated` is the project's openapi.json, which a build makes of the schema without running any code; `open` is what everybody
 * may do.
 */
export function describeServer<Generated extends Description>(
  generated: Generated,
  extensions: DeclaresEndpoints,
  open: ReadonlySet<string>,
): Generated {
  const own = pathsOf(endpointRoutes(declaredEndpoints(extensions)), open);
  const paths: Record<string, JsonSchema> = { ...generated.paths };
  for (const [path, operations] of Object.entries(own)) paths[path] = { ...paths[path], ...operations };
  return { ...generated, paths };
}
