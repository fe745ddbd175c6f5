/** Values in rules: constants and variables, and what they can be compared with. */
import { attributeType, castScalar, columnTypeOf, type ScalarType } from '../attribute-types/scalar-type.ts';
import type { JsonValue } from '../values/json.ts';
import type { RuleProblem } from './rule-form.ts';
import type { RuleAttribute, RuleTypes } from './rule-types.ts';
import { type RuleVariable, variableOf } from './rule.ts';

/** What is wrong with a value. */
export type ValueProblem = Pick<RuleProblem, 'message' | 'hint' | 'suggest'>;

/** What a value is for: an attribute, by its name in messages. */
export interface ValueTarget {
  readonly name: string;
  readonly attribute: Extract<RuleAttribute, { readonly kind: 'scalar' | 'relation' }>;
}

/** What a variable stands for: the id of an entry of a type, or a value. */
type Meaning =
  | { readonly kind: 'entry'; readonly target: string }
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'token' };

const VARIABLES = ['$user', '$now', '$token', '$host.site.domain'];

function userPath(types: RuleTypes, path: readonly string[]): Meaning | ValueProblem {
  let target = 'user';
  for (const [index, name] of path.entries()) {
    const owner = types.type(target);
    const attribute = owner?.attributes.get(name) ?? owner?.system.get(name);
    const written = ['$user', ...path.slice(0, index + 1)].join('.');
    if (!owner || !attribute) {
      const names = [...(owner?.attributes.keys() ?? []), ...(owner?.system.keys() ?? [])];
      return { message: `\`${target}\` has no attribute \`${name}\``, suggest: { name, names } };
    }
    const isLast = index === path.length - 1;
    if (attribute.kind === 'scalar') {
      if (isLast) return { kind: 'scalar', type: attribute.type };
      return {
        message: `\`${written}\` is a value, which has no attributes`,
        hint: `end the path there: \`${written}\``,
      };
    }
    if (attribute.kind !== 'relation' || attribute.many) {
      return {
        message: `\`${written}\` is not one value: paths of \`$user\` are of relations to one entry and of attributes with one value`,
        hint: 'ask from the other side: `{ team: { members: $user } }`',
      };
    }
    target = attribute.target;
  }
  return { kind: 'entry', target };
}

function entryOfHost(types: RuleTypes, type: string, name: string): Meaning | ValueProblem {
  const owner = types.type(type);
  if (!owner) return { message: `there is no type \`${type}\`` };
  const attribute = owner.attributes.get(name);
  if (attribute?.kind === 'scalar' && familyOf(attribute.type) === 'text') return { kind: 'entry', target: type };
  const fault = attribute ? 'is no text' : 'does not exist';
  return {
    message: `\`${name}\` of \`${type}\` is compared with the host of the request, but ${fault}`,
    suggest: { name, names: [...owner.attributes.keys()] },
  };
}

/** What a variable stands for, or why it stands for nothing. */
export function meaningOf(types: RuleTypes, variable: RuleVariable): Meaning | ValueProblem {
  switch (variable.kind) {
    case 'now':
      return { kind: 'scalar', type: 'datetime' };
    case 'token':
      return { kind: 'token' };
    case 'user':
      return userPath(types, variable.path);
    case 'host':
      return entryOfHost(types, variable.type, variable.attribute);
  }
}

type Family = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime' | 'json';

/** Types whose values can be compared with each other. */
function familyOf(type: ScalarType): Family {
  const column = columnTypeOf(type);
  switch (column) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return 'number';
    default:
      return column;
  }
}

function isWhole(type: ScalarType): boolean {
  const column = columnTypeOf(type);
  return column === 'integer' || column === 'biginteger';
}

/** What an attribute is, in messages. */
export function described(attribute: ValueTarget['attribute']): string {
  return attribute.kind === 'relation' ? `a relation to \`${attribute.target}\`` : `of type ${attribute.type}`;
}

function variableProblem(
  types: RuleTypes,
  variable: RuleVariable,
  text: string,
  { name, attribute }: ValueTarget,
): ValueProblem | undefined {
  const meaning = meaningOf(types, variable);
  if (!('kind' in meaning)) return meaning;
  switch (meaning.kind) {
    case 'entry': {
      if (attribute.kind === 'relation' && attribute.target === meaning.target) return undefined;
      // Ids of users in plain numbers, as where users are kept elsewhere.
      if (attribute.kind === 'scalar' && isWhole(attribute.type)) return undefined;
      return {
        message: `\`${text}\` is the id of an entry of \`${meaning.target}\`, but \`${name}\` is ${described(attribute)}`,
      };
    }
    case 'token': {
      if (attribute.kind === 'scalar' && isWhole(attribute.type)) return undefined;
      return { message: `\`$token\` is the id of an API token, a whole number, which \`${name}\` is not` };
    }
    case 'scalar': {
      if (attribute.kind === 'scalar' && familyOf(attribute.type) === familyOf(meaning.type)) return undefined;
      return { message: `\`${text}\` is of type ${meaning.type}, but \`${name}\` is ${described(attribute)}` };
    }
  }
}

function constantProblem(value: JsonValue, { name, attribute }: ValueTarget): ValueProblem | undefined {
  if (value === null) {
    return { message: `\`${name}\` can't be compared with null`, hint: 'write `{ $null: true }`' };
  }
  if (typeof value === 'object') {
    return { message: `\`${name}\` can't be compared with a ${Array.isArray(value) ? 'list' : 'map'}` };
  }
  if (attribute.kind === 'relation') {
    const isId = typeof value === 'number' ? Number.isSafeInteger(value) && value > 0 : typeof value === 'string';
    return isId ? undefined : { message: `\`${name}\` is a relation, which is compared with an id or \`$user\`` };
  }
  const { type, enum: words } = attribute;
  if (words && words.length > 0 && !words.some((word) => word === value)) {
    return {
      message: `${JSON.stringify(value)} is not a value of \`${name}\``,
      suggest: { name: String(value), names: words },
    };
  }
  const cast = castScalar(type, attributeType(type).columnType === 'text' ? String(value) : value);
  return cast.ok ? undefined : { message: `${JSON.stringify(value)}: \`${name}\` ${cast.message}` };
}

/** What is wrong with one value for `target`; undefined if nothing is. */
export function valueProblem(types: RuleTypes, value: JsonValue, target: ValueTarget): ValueProblem | undefined {
  if (typeof value !== 'string' || !value.startsWith('$')) return constantProblem(value, target);
  const variable = variableOf(value);
  if (variable) return variableProblem(types, variable, value, target);
  const hint = 'variables are `$user`, `$user.attribute`, `$now` and `$token`';
  return { message: `\`${value}\` is not a variable`, hint, suggest: { name: value, names: VARIABLES } };
}
