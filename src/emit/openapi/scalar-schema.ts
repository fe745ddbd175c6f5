/** JSON Schemas of scalar attributes. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';

/** The type of a value in an answer. */
function outputType(attribute: ScalarAttribute): JsonSchema {
  switch (attribute.type) {
    case 'integer':
      return { type: 'integer' };
    case 'float':
    case 'decimal':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'biginteger':
      return { type: 'string', pattern: '^-?[0-9]+$' };
    case 'enumeration':
      return { type: 'string', enum: attribute.enum };
    case 'json':
      return {};
    case 'blocks':
      return { type: 'array', items: { type: 'object' } };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'time':
      return { type: 'string', format: 'time-local' };
    case 'datetime':
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'email':
      return { type: 'string', format: 'email' };
    case 'password':
      return { type: 'string', format: 'password' };
    case 'string':
    case 'text':
    case 'richtext':
    case 'uid':
      return { type: 'string' };
  }
}

/** Where a request may hold more than an answer does. */
const WIDER_INPUTS: ReadonlyMap<string, JsonSchema> = new Map([
  ['biginteger', { type: ['integer', 'string'], pattern: '^-?[0-9]+$' }],
  ['decimal', { type: ['number', 'string'] }],
  ['datetime', { type: ['string', 'integer'], format: 'date-time' }],
  ['timestamp', { type: ['string', 'integer'], format: 'date-time' }],
]);

/** Bounds that JSON can say exactly; others stay unsaid. */
function bound(value: number | string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  return String(number) === String(value) ? number : undefined;
}

/** Adds `null` to a schema. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema['enum'])) return { ...schema, type: ['string', 'null'], enum: [...schema['enum'], null] };
  const { type } = schema;
  if (type === undefined) return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema;
  return { ...schema, type: [type, 'null'].flat() };
}

/** As it is answered. */
export function scalarOutputSchema(attribute: ScalarAttribute, alwaysSet: boolean): JsonSchema {
  const schema = outputType(attribute);
  return { ...(alwaysSet ? schema : nullable(schema)), description: attribute.description };
}

/** As it may be sent. */
export function scalarInputSchema(attribute: ScalarAttribute, mayBeNull: boolean): JsonSchema {
  const { minLength, maxLength, regex, min, max } = attribute;
  const schema = WIDER_INPUTS.get(attribute.type) ?? outputType(attribute);
  return {
    ...(mayBeNull ? nullable(schema) : schema),
    ...(regex === undefined ? {} : { pattern: regex }),
    minLength,
    maxLength,
    minimum: bound(min),
    maximum: bound(max),
    default: attribute.default,
    description: attribute.description,
  };
}
