/** Building blocks for JSON Schemas. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON Schema, draft 2020-12. Members that are `undefined` are omitted. */
export type JsonSchema = { readonly [key: string]: Json | undefined };

/** Properties by the name of the schema that they are added to. */
export type AddedProperties = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;

/** Any text. */
export const TEXT: JsonSchema = { type: 'string' };
/** An e-mail address. */
export const EMAIL: JsonSchema = { type: 'string', format: 'email' };
/** An instant. */
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
/** An instant, or null. */
export const TIME_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'date-time' };

/** A file in a multipart form. */
export const BINARY: JsonSchema = { type: 'string', format: 'binary' };

/** Always true. */
export const TRUE: JsonSchema = { type: 'boolean', const: true };
/** An object with any members. */
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

/** An object. By default, all members are required. */
export function object(
  properties: Readonly<Record<string, JsonSchema | undefined>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, required: required.length > 0 ? required : undefined };
}

/** An array of items. */
export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** A reference to a named schema in openapi.json. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
