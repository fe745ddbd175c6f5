/** What schemas of openapi.json are made of. */
import type { JsonObject } from './schema-names.ts';

/** Any text. */
export const TEXT: JsonObject = { type: 'string' };
/** An address. */
export const EMAIL: JsonObject = { type: 'string', format: 'email' };
/** An instant. */
export const TIME: JsonObject = { type: 'string', format: 'date-time' };
/** An instant, or never. */
export const TIME_OR_NULL: JsonObject = { type: ['string', 'null'], format: 'date-time' };

/** An object whose members are all required unless said otherwise. */
export function object(
  properties: Readonly<Record<string, JsonObject>>,
  required = Object.keys(properties),
): JsonObject {
  return { type: 'object', properties, required };
}

/** An array of items. */
export function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}
