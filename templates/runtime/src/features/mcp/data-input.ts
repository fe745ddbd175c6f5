/** JSON Schemas of entry data, taken from the OpenAPI document together with the named schemas that they reference. */
import type { JsonSchema } from '../../contract/routes/json-schema.ts';

/** The part of the OpenAPI document that is read here. */
export interface DescribedServer {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

const PREFIX = '#/components/schemas/';

/** Copies a schema, rewriting its references to `$defs`; adds the referenced names to `named`. */
function local(schema: unknown, named: Set<string>): unknown {
  if (Array.isArray(schema)) return schema.map((element) => local(element, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.entries(schema).map(([key, value]) => {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) return [key, local(value, named)];
    const name = value.slice(PREFIX.length);
    named.add(name);
    return [key, `#/$defs/${name}`];
  });
  return Object.fromEntries(members) as unknown;
}

/** A self-contained schema of an object with these properties: `$defs` holds exactly the schemas that it references. */
export function selfContained(
  { components }: DescribedServer,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  const named = new Set<string>();
  const own = local(properties, named) as JsonSchema;
  const definitions: Record<string, JsonSchema> = {};
  // Iterating over a Set also visits the names added during the iteration.
  for (const name of named) definitions[name] = local(components.schemas[name] ?? {}, named) as JsonSchema;
  return {
    type: 'object',
    properties: own,
    required,
    additionalProperties: false,
    ...(named.size > 0 && { $defs: definitions }),
  };
}

function resolved({ components }: DescribedServer, schema: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (components.schemas[$ref.slice(PREFIX.length)] ?? {}) : schema;
}

/** The schema of `data` in the request body of an operation. Throws if it is missing: the document is from another build. */
export function dataOf(document: DescribedServer, path: string, method: 'post' | 'put'): JsonSchema {
  const body = document.paths[path]?.[method]?.requestBody?.content['application/json'];
  const data = body && (resolved(document, body.schema)['properties'] as Readonly<Record<string, JsonSchema>>)['data'];
  if (!data) throw new Error(`openapi.json does not describe ${method.toUpperCase()} ${path}: generate it again`);
  return data;
}
