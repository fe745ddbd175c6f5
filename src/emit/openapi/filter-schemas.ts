/** JSON Schemas of the conditions on a scalar attribute in `filters`. */
import type { Operators } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, type ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import { pascalCase } from '../../model/naming.ts';

const FLAG: JsonSchema = { type: 'boolean' };

const PRESENCE: Readonly<Record<string, JsonSchema>> = { $null: FLAG, $notNull: FLAG };

const EQUALITY = ['$eq', '$ne'];
const ORDER = ['$lt', '$lte', '$gt', '$gte'];
const SETS = ['$in', '$notIn'];
const SEARCHES = [
  ...['$eqi', '$nei', '$contains', '$notContains', '$containsi', '$notContainsi'],
  ...['$startsWith', '$startsWithi', '$endsWith', '$endsWithi'],
];

function each(names: readonly string[], schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** The conditions on a value with this schema; `self` is the schema of the filter itself. */
function conditions(value: JsonSchema, operators: Operators, self: JsonSchema): JsonSchema {
  const comparing = {
    ...each([...EQUALITY, ...ORDER], value),
    ...each(SETS, list(value)),
    $between: { ...list(value), minItems: 2, maxItems: 2 },
    ...PRESENCE,
    ...(operators === 'compared' ? {} : each(SEARCHES, TEXT)),
  };
  const properties = operators === 'presence' ? PRESENCE : { ...comparing, $not: self };
  return { ...object(properties, []), additionalProperties: false };
}

/** The schema name of the filter for attributes of a type. */
export function filterName(type: ScalarType): string {
  return `${pascalCase(type)}Filter`;
}

/** A filter: a value, a list of values (any of which matches), or conditions that must all hold. */
function filterOf(value: JsonSchema, operators: Operators, self: JsonSchema): JsonSchema {
  const object = conditions(value, operators, self);
  return operators === 'presence' ? object : { anyOf: [value, list(value), object] };
}

/** The filter for attributes of a scalar type. */
export function scalarFilter(type: ScalarType): JsonSchema {
  const { jsonSchema, operators } = attributeType(type);
  const { format: _, pattern: __, ...value } = jsonSchema.input ?? jsonSchema.output;
  return filterOf(value, operators, schemaRef(filterName(type)));
}

/** The filter for an enumeration: its values, or conditions on text. */
export function enumerationFilter(values: readonly string[]): JsonSchema {
  const value = { type: 'string', enum: values };
  const equal = { ...each(EQUALITY, value), ...each(SETS, list(value)), ...PRESENCE };
  const conditions = { ...object(equal, []), additionalProperties: false };
  return { anyOf: [value, list(value), conditions, schemaRef(filterName('enumeration'))] };
}
