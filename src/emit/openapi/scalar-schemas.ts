/** JSON Schemas of scalar attributes. */
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { ScalarAttribute } from '../../model/content-model.ts';
import { textsOf } from './texts.ts';

/** The type of a value in a response. */
function outputType({ type, enum: values }: ScalarAttribute): JsonSchema {
  const { output } = attributeType(type).jsonSchema;
  return values.length > 0 ? { ...output, enum: values } : output;
}

/** The type of a value in a request. */
export function inputType(attribute: ScalarAttribute): JsonSchema {
  return attributeType(attribute.type).jsonSchema.input ?? outputType(attribute);
}

/** A bound as a number; undefined if JSON cannot represent it exactly. */
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

/** The schema of an attribute in a response. */
export function scalarOutputSchema(attribute: ScalarAttribute, alwaysSet: boolean): JsonSchema {
  const schema = outputType(attribute);
  return { ...(alwaysSet ? schema : nullable(schema)), ...textsOf(attribute) };
}

/** The default is part of the description, because client generators treat properties with a `default` as required. */
function inputDescription({ description, default: initial }: ScalarAttribute): string | undefined {
  if (initial === undefined) return description;
  return [description, `Default: \`${JSON.stringify(initial)}\`.`].filter((text) => text !== undefined).join(' ');
}

/** The schema of an attribute in a request. */
export function scalarInputSchema(attribute: ScalarAttribute, mayBeNull: boolean): JsonSchema {
  const { minLength, maxLength, regex, min, max } = attribute;
  const schema = inputType(attribute);
  return {
    ...(mayBeNull ? nullable(schema) : schema),
    ...(regex === undefined ? {} : { pattern: regex }),
    minLength,
    maxLength,
    minimum: bound(min),
    maximum: bound(max),
    ...textsOf({ ...attribute, description: inputDescription(attribute) }),
  };
}
