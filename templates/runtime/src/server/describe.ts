/** The whole of a server's OpenAPI description: what comes from the schema, and the endpoints that are declared in code. */
import { readFile } from 'node:fs/promises';
import type { JsonSchema } from '../contract/routes/json-schema.ts';
import { pathsOf } from '../contract/routes/openapi.ts';
import { describeEndpoints } from './describe-endpoints.ts';
import { declaredEndpoints, type DeclaresEndpoints } from './mount-endpoints.ts';

/** The parts of a document that endpoints add to. */
export interface Description {
  readonly paths: Readonly<Record<string, JsonSchema>>;
  readonly tags?: readonly JsonSchema[];
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

/**
 * `generated` is the project's openapi.json, which a build makes of the schema without running any code; `open` is what everybody
 * may do. Without endpoints it is the result.
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

/** Where a project's openapi.json is, and who may do what. */
export interface DescribedProject {
  readonly openapi: URL;
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

/** The description of a project as JSON. */
export async function describeProject(
  { openapi, roles }: DescribedProject,
  extensions: DeclaresEndpoints,
): Promise<string> {
  const text = await readFile(openapi, 'utf8');
  if (!extensions.endpoints) return text;
  return JSON.stringify(describeServer(JSON.parse(text) as Description, extensions, new Set(roles['public'])));
}
