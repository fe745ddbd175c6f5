/** The complete OpenAPI description of a server: the document generated from the schema, and the endpoints declared in code. */
import { readFile } from 'node:fs/promises';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { pathsOf } from '../contract/routes/openapi.ts';
import { describeEndpoints } from './describe-endpoints.ts';
import { declaredEndpoints, type DeclaresEndpoints } from './mount-endpoints.ts';

/** The parts of an OpenAPI document to which endpoints are added. */
export interface Description {
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly tags?: readonly JsonSchema[];
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

/**
 * Adds endpoints to `generated`, the project's openapi.json, which a build derives from the schema without running the project's
 * code. `open` are the permissions of the public role. Without endpoints, returns `generated` itself.
 */
export function describeServer<Generated extends Description>(
  generated: Generated,
  extensions: DeclaresEndpoints,
  open: ReadonlySet<string>,
): Generated {
  const endpoints = declaredEndpoints(extensions);
  if (endpoints.length === 0) return generated;
  const { routes, schemas, tag, parametersOf } = describeEndpoints(endpoints);
  const paths: Record<string, JsonSchema> = { ...generated.paths };
  for (const [path, operations] of Object.entries(pathsOf(routes, { open, parametersOf }))) {
    paths[path] = { ...paths[path], ...operations };
  }
  return {
    ...generated,
    tags: [...(generated.tags ?? []), tag],
    paths,
    components: { ...generated.components, schemas: { ...generated.components?.schemas, ...schemas } },
  };
}

/** The location of a project's openapi.json, and the permissions of its roles. */
export interface DescribedProject {
  readonly openapi: URL;
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

/** The OpenAPI description of a project, as JSON text. */
export async function describeProject(
  { openapi, roles }: DescribedProject,
  extensions: DeclaresEndpoints,
): Promise<string> {
  const text = await readFile(openapi, 'utf8');
  if (!extensions.endpoints) return text;
  return JSON.stringify(describeServer(JSON.parse(text) as Description, extensions, new Set(roles['public'])));
}
