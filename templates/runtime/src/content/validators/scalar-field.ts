/** What the validators of all scalar attributes share: presence, default, cast, then the attribute's own rules. */
import type { ScalarType } from '../../contract/content-type.ts';
import { castScalar, type Canonical } from '../../contract/values/cast-scalar.ts';
import { refused, type CastResult } from '../../contract/values/cast-result.ts';
import { report, type Field, type Presence, type Scope } from './field.ts';
import { isGiven, type PresenceOptions } from './presence.ts';

/** Options of every scalar attribute. */
export interface ScalarOptions<Input> extends PresenceOptions {
  /** Stored on create where the attribute is missing, but not where it is null. */
  readonly default?: Input;
}

/** What is wrong with a canonical value, as a predicate; undefined if nothing is. */
export type Rule<Value> = (value: Value, scope: Pick<Scope, 'draft'>) => string | undefined;

interface ScalarDefinition<Value> {
  readonly type: ScalarType;
  readonly options: ScalarOptions<unknown> | undefined;
  readonly rules?: readonly Rule<Value>[];
  /** The server makes the value of a new entry where none is given. */
  readonly generated?: boolean;
}

/** Casts a value and checks it by the rules. */
function checkValue<Value>(
  { type, rules = [] }: ScalarDefinition<Value>,
  value: unknown,
  scope: Pick<Scope, 'draft'>,
): CastResult<Canonical> {
  const result = castScalar(type, value);
  if (!result.ok) return result;
  for (const rule of rules) {
    const problem = rule(result.value as Value, scope);
    if (problem !== undefined) return refused(problem);
  }
  return result;
}

function checkDefault<Value>(definition: ScalarDefinition<Value>): Canonical | undefined {
  const given = definition.options?.default;
  if (given === undefined) return undefined;
  const result = checkValue(definition, given, { draft: false });
  if (result.ok) return result.value;
  throw new TypeError(`The default of an attribute of type ${definition.type} ${result.message}`);
}

/**
 * The validator of a scalar attribute. `Value` is the canonical type that its rules see: the one that `castScalar` makes
 * of `type`. Throws TypeError for a default that is not valid itself.
 */
export function scalarField<Input, P extends Presence, Value extends Canonical = Canonical>(
  definition: ScalarDefinition<Value>,
): Field<Input, P> {
  const initial = checkDefault(definition);
  const required = definition.options?.required === true;
  const generated = definition.generated === true;
  return {
    check(value, scope) {
      const isNew = scope.operation === 'create';
      if (value === undefined && isNew && initial !== undefined) return initial;
      if (!isGiven(value, required && !(generated && isNew), scope)) return value === null ? null : undefined;
      const result = checkValue(definition, value, scope);
      if (result.ok) return result.value;
      report(scope, result.message);
      return undefined;
    },
  };
}
