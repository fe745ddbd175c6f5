/** What JSON Schemas in the table of routes are made of. */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A JSON Schema of the draft 2020-12; members that are `undefined` are left out. */
export type JsonSchema = { readonly [key: string]: Json | undefined };

/** Any text. */
export const TEXT: JsonSchema = { type: 'string' };
/** An address. */
export const EMAIL: JsonSchema = { type: 'string', format: 'email' };
/** An instant. */
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
/** An instant, or never. */
export const TIME_OR_NULL: JsonSchema = { type: ['string', 'null'], format: 'date-time' };

/** A file in a form. */
export const BINARY: JsonSchema = { type: 'string', format: 'binary' };

/** Always true. */
export const TRUE: JsonSchema = { type: 'boolean', const: true };
/** An object of any members. */
export const ANY_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

/** An object whose members are all required unless said otherwise. */
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

/** A reference to one of the schemas that openapi.json names. */
export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
