/** JSON Schemas of what an entry is made of, taken from the OpenAPI document, whose named schemas they bring along. */
import type { JsonSchema } from '../../contract/routes/json-schema.ts';

/** The part of a document that is read here. */
export interface DescribedServer {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

const PREFIX = '#/components/schemas/';

/** A schema with its references turned to `$defs`; their names are added to `named`. */
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

/** An object of these properties that stands for itself: with the schemas that it refers to, and no others. */
export function selfContained(
  { components }: DescribedServer,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  const named = new Set<string>();
  const own = local(properties, named) as JsonSchema;
  const definitions: Record<string, JsonSchema> = {};
  // A set that grows while it is walked through is walked through to its end.
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

/** What `data` is in the body of an operation. Throws where the document does not have it: it is of another build. */
export function dataOf(document: DescribedServer, path: string, method: 'post' | 'put'): JsonSchema {
  const body = document.paths[path]?.[method]?.requestBody?.content['application/json'];
  const data = body && (resolved(document, body.schema)['properties'] as Readonly<Record<string, JsonSchema>>)['data'];
  if (!data) throw new Error(`openapi.json does not describe ${method.toUpperCase()} ${path}: generate it again`);
  return data;
}
