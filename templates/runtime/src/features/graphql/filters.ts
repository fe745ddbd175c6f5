/** Filters of a document, as a query has them: operators get their `$`. */
import type { InputDefinition } from '../../contract/graphql/model.ts';
import { isObject } from '../../content/relations/entry-ref.ts';
import type { ServerSchema } from './server-schema.ts';

type Conditions = Readonly<Record<string, unknown>>;

const LISTS: ReadonlySet<string> = new Set(['in', 'notIn']);

/** The conditions of one attribute, each of which must hold. */
function attributeConditions(name: string, value: Conditions): Conditions[] {
  const on = (conditions: unknown): Conditions => ({ [name]: conditions });
  // No value meets both.
  const none = { $and: [on({ $null: true }), on({ $notNull: true })] };
  return Object.entries(value).flatMap(([operator, operand]): Conditions[] => {
    if (operator === 'and') return (listOf(operand) ?? []).map((element) => equals(on, element));
    if (operator === 'or') {
      const elements = listOf(operand);
      return elements ? [{ $or: elements.map((element) => equals(on, element)) }] : [];
    }
    if (operator === 'not') {
      if (!isObject(operand)) return [];
      return [{ $not: all(attributeConditions(name, operand)) }];
    }
    if (operator === 'eq' || operator === 'eqi') {
      return [operand === null ? on({ $null: true }) : on({ [`$${operator}`]: operand })];
    }
    if (operator === 'ne' || operator === 'nei') {
      return [operand === null ? on({ $notNull: true }) : on({ [`$${operator}`]: operand })];
    }
    if (LISTS.has(operator)) return [oneOf(operator === 'notIn', listOf(operand) ?? [], { on, none })];
    // As a variable that is not given: `null: null`.
    if (operator === 'null' || operator === 'notNull') {
      return operand === null ? [] : [on({ [`$${operator}`]: operand })];
    }
    return [operand === null ? none : on({ [`$${operator}`]: operand })];
  });
}

function equals(on: (conditions: unknown) => Conditions, element: unknown): Conditions {
  return on(element === null ? { $null: true } : { $eq: element });
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (value === null || value === undefined) return undefined;
  return Array.isArray(value) ? value : [value];
}

/** A condition on being one of the values. No value is one of none. */
function oneOf(
  isNegated: boolean,
  values: readonly unknown[],
  { on, none }: { readonly on: (conditions: unknown) => Conditions; readonly none: Conditions },
): Conditions {
  const given = values.filter((value) => value !== null);
  const parts = [
    ...(given.length > 0 ? [on({ $in: given })] : []),
    ...(given.length < values.length ? [on({ $null: true })] : []),
  ];
  if (!isNegated) return parts.length === 1 && parts[0] ? parts[0] : parts.length === 0 ? none : { $or: parts };
  if (given.length === values.length) return given.length === 0 ? {} : on({ $notIn: given });
  return { $not: { $or: parts } };
}

/** One object of conditions, if each has another key. */
function all(conditions: readonly Conditions[]): Conditions {
  const keys = conditions.flatMap((condition) => Object.keys(condition));
  return new Set(keys).size === keys.length ? Object.assign({}, ...conditions) : { $and: conditions };
}

/** The conditions of filters, each of which must hold. */
function conditionsOf(value: Conditions, input: InputDefinition, server: ServerSchema): Conditions[] {
  return Object.entries(value).flatMap(([name, operand]): Conditions[] => {
    const field = input.fields.find((one) => one.name === name);
    if (!field || operand === undefined) return [];
    if (field.means.is === 'logic') return logic(name, operand, input, server);
    const inner = server.inputs.get(field.type);
    if (operand === null) return [{ [name]: { $null: true } }];
    if (!inner || !isObject(operand)) return [];
    if (inner.fields.some(({ means }) => means.is === 'condition')) return attributeConditions(name, operand);
    const inside = conditionsOf(operand, inner, server);
    return inside.length === 0 ? [] : [{ [name]: all(inside) }];
  });
}

function logic(name: string, operand: unknown, input: InputDefinition, server: ServerSchema): Conditions[] {
  if (name === 'not') {
    const inside = isObject(operand) ? conditionsOf(operand, input, server) : [];
    return inside.length === 0 ? [] : [{ $not: all(inside) }];
  }
  const elements = listOf(operand);
  if (!elements || elements.length === 0) return [];
  const filters = elements.map((element) =>
    isObject(element) ? all(conditionsOf(element, input, server)) : { $and: [] },
  );
  return [{ [`$${name}`]: filters }];
}

/** The filters of a query; undefined if there are none. `type`: the name of their type in the schema. */
export function filtersOf(value: unknown, type: string, server: ServerSchema): Conditions | undefined {
  const input = server.inputs.get(type);
  if (!isObject(value) || !input) return undefined;
  const conditions = conditionsOf(value, input, server);
  return conditions.length === 0 ? undefined : all(conditions);
}
