/** Values that stand for variables where a rule is shown: compiled conditions then name the variables. */
import { columnTypeOf } from '../../contract/attribute-types/scalar-type.ts';
import type { ContentTypes } from '../../contract/content-type.ts';
import type { Caller } from '../../contract/policy/caller.ts';
import { type RuleVariable, writtenVariable } from '../../contract/policy/rule.ts';
import { ruleTypes } from '../../contract/policy/rule-types.ts';
import { meaningOf } from '../../contract/policy/rule-values.ts';
import type { ValueOf } from '../../query/rules/rule-narrowing.ts';

export interface NamedValues {
  /** Variables of a user have no value for callers who are none. */
  readonly valueOf: ValueOf;
  /** The name of the variable with this value. */
  nameOf(value: string): string;
}

/** A value of the variable's type, of which there are several: the one with this number, from 1. */
function sample(types: ContentTypes, variable: RuleVariable, number: number): string {
  const meaning = meaningOf(ruleTypes(types), variable);
  if (!('kind' in meaning) || meaning.kind !== 'scalar') return String(number);
  switch (columnTypeOf(meaning.type)) {
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return String(number);
    case 'boolean':
      return 'true';
    case 'date':
      return `${2000 + number}-01-01`;
    case 'time':
      return `00:00:00.${String(number).padStart(3, '0')}`;
    case 'datetime':
      return `${2000 + number}-01-01T00:00:00.000Z`;
    default:
      return writtenVariable(variable);
  }
}

export function namedValues(types: ContentTypes, { kind }: Caller): NamedValues {
  const values = new Map<string, string>();
  return {
    valueOf(variable) {
      if (kind === 'public' && (variable.kind === 'user' || variable.kind === 'token')) return undefined;
      const name = writtenVariable(variable);
      const value = values.get(name) ?? sample(types, variable, values.size + 1);
      values.set(name, value);
      return value;
    },
    nameOf(value) {
      const names = [...values].filter(([, each]) => each === value).map(([name]) => name);
      return names.length > 0 ? names.join(' or ') : value;
    },
  };
}
