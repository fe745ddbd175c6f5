/** Values of attributes that the conditions of a rule find, or don't. */
import type { Attribute } from '../contract/content-type.ts';
import { variableOf, writtenVariable } from '../contract/policy/rule.ts';
import type { JsonValue } from '../contract/values/json.ts';

/** An entry can't be made for a rule; the message says why. */
export class NotMade extends Error {}

export function raise(reason: string): never {
  throw new NotMade(reason);
}

/** The caller of a rule, and another one, whose entries are on the other side of it. */
export interface Users {
  readonly caller: number;
  readonly other: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** A value that a comparison finds, or doesn't; undefined to leave it to chance. */
export function comparedValue(
  users: Users,
  attribute: Attribute,
  operator: string,
  value: JsonValue,
  wanted: boolean,
): unknown {
  const one = Array.isArray(value) ? (value[0] as JsonValue) : value;
  const variable = variableOf(one);
  if (variable?.kind === 'user') {
    if (variable.path.length > 0) return raise(`it compares with ${JSON.stringify(one)}`);
    return (operator === '$eq' || operator === '$in') === wanted ? users.caller : users.other;
  }
  if (variable?.kind === 'token' || variable?.kind === 'host') {
    return raise(`it compares with ${writtenVariable(variable)}`);
  }
  const isNow = variable?.kind === 'now';
  switch (operator) {
    case '$eq':
    case '$in':
      return isNow ? undefined : wanted ? one : unlike(attribute, one);
    case '$ne':
    case '$notIn':
      return isNow ? undefined : wanted ? unlike(attribute, one) : one;
    case '$null':
      return (one === true) === wanted ? null : undefined;
    case '$lt':
    case '$lte':
      return isNow ? new Date(Date.now() + (wanted ? -DAY : DAY)).toISOString() : undefined;
    case '$gt':
    case '$gte':
      return isNow ? new Date(Date.now() + (wanted ? DAY : -DAY)).toISOString() : undefined;
    default:
      return undefined;
  }
}

function unlike(attribute: Attribute, value: JsonValue): unknown {
  if (typeof value === 'boolean') return !value;
  if ('enum' in attribute) return attribute.enum?.find((word) => word !== value);
  return undefined;
}
