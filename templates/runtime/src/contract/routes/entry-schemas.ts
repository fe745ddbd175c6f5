/** Names in openapi.json of the request and response bodies of a content type. */
import { type JsonSchema, schemaRef } from './json-schema.ts';

/** Suffixes of the names of the schemas, after the name of the type. */
export const BODY_NAMES = [
  'Response',
  'ListResponse',
  'CreateRequest',
  'UpdateRequest',
  'CreateForm',
  'UpdateForm',
  'LocalizationRequest',
  'LocalizationResponse',
] as const;

export type BodyName = (typeof BODY_NAMES)[number];

/** A reference to such a schema. `name` is the name of the type. */
export function bodyRef(name: string, body: BodyName): JsonSchema {
  return schemaRef(`${name}${body}`);
}
