/** JSON Schemas of the conditions on a scalar attribute in `filters`. */
import type { Operators } from '#contract/attribute-types/attribute-type.ts';
import { attributeType, type ScalarType } from '#contract/attribute-types/scalar-type.ts';
import { type OperandKind, type Operator, OPERATOR_ROWS, takesOperand } from '#contract/operators.ts';
import { type JsonSchema, list, object, schemaRef, TEXT } from '#contract/routes/json-schema.ts';
import { pascalCase } from '../../model/naming.ts';

const FLAG: JsonSchema = { type: 'boolean' };

function operandSchema(operand: OperandKind, value: JsonSchema): JsonSchema {
  switch (operand) {
    case 'value':
      return value;
    case 'values':
      return list(value);
    case 'range':
      return { ...list(value), minItems: 2, maxItems: 2 };
    case 'flag':
      return FLAG;
    case 'text':
      return TEXT;
  }
}

/** The operators that `accepts` chooses, on values with this schema. */
function operatorSchemas(
  value: JsonSchema,
  accepts: (operator: Operator) => boolean,
): Readonly<Record<string, JsonSchema>> {
  const rows = OPERATOR_ROWS.filter(([, operator]) => accepts(operator));
  return Object.fromEntries(rows.map(([name, { operand }]) => [name, operandSchema(operand, value)]));
}

/** The conditions on a value with this schema; `self` is the schema of the filter itself. */
function conditions(value: JsonSchema, operators: Operators, self: JsonSchema): JsonSchema {
  const all = operatorSchemas(value, ({ operand }) => takesOperand(operators, operand));
  const properties = operators === 'presence' ? all : { ...all, $not: self };
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
  const equal = operatorSchemas(value, ({ operand, condition }) => {
    if (condition.kind === 'compare') return condition.comparison === '=' || condition.comparison === '<>';
    return operand === 'values' || operand === 'flag';
  });
  const conditions = { ...object(equal, []), additionalProperties: false };
  return { anyOf: [value, list(value), conditions, schemaRef(filterName('enumeration'))] };
}
