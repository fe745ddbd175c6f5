/** What openapi.json calls the bodies of requests and answers of a content type. */
import { type JsonSchema, schemaRef } from './json-schema.ts';

/** The schemas around those of an entry, each called by the name of the type and one of these words. */
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

/** A reference to such a schema; `name` is that of the type. */
export function bodyRef(name: string, body: BodyName): JsonSchema {
  return schemaRef(`${name}${body}`);
}
