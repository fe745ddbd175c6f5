/** The validator of an attribute that is one value: presence, default, cast, then the attribute's own rules. */
import type { AttributeType, ScalarRules } from '../../contract/attribute-types/attribute-type.ts';
import { attributeType, isGenerated, type ScalarType } from '../../contract/attribute-types/scalar-type.ts';
import { type ValueRule, valueRules } from '../../contract/attribute-types/value-rules.ts';
import type { Issue } from '../../contract/errors.ts';
import { type Field, report, type Scope } from './field.ts';
import { isGiven } from './presence.ts';

/** The rules of the attribute. The default is stored on create where the attribute is missing, but not where it is null. */
export interface ScalarFieldOptions extends ScalarRules {
  readonly default?: unknown;
}

type Checked = { readonly value: unknown } | { readonly issues: readonly Issue[] };

/** Casts a value and checks it by the rules; of types that find several problems, all of them. */
function checkValue(
  type: AttributeType,
  rules: readonly ValueRule[],
  value: unknown,
  { path, draft }: Pick<Scope, 'path' | 'draft'>,
): Checked {
  if (type.problems) {
    const issues = type.problems(value, path);
    return issues.length === 0 ? { value } : { issues };
  }
  const result = type.cast(value);
  if (!result.ok) return { issues: [{ path, message: result.message }] };
  for (const rule of rules) {
    const message = rule(result.value, draft);
    if (message !== undefined) return { issues: [{ path, message }] };
  }
  return { value: result.value };
}

/** Throws TypeError for a default that is not valid itself. */
function checkDefault(name: ScalarType, rules: readonly ValueRule[], given: unknown): unknown {
  if (given === undefined) return undefined;
  const checked = checkValue(attributeType(name), rules, given, { path: [], draft: false });
  if ('value' in checked) return checked.value;
  throw new TypeError(`The default of an attribute of type ${name} ${checked.issues[0]?.message}`);
}

/** The validator of an attribute of a type. Throws TypeError for a default or a bound that is not valid itself. */
export function scalarField(name: ScalarType, options: ScalarFieldOptions): Field {
  const type = attributeType(name);
  const rules = valueRules(type, options);
  const initial = checkDefault(name, rules, options.default);
  const required = options.required === true;
  const generated = isGenerated(name);
  return {
    check(value, scope) {
      const isNew = scope.operation === 'create';
      if (value === undefined && isNew && initial !== undefined) return initial;
      if (!isGiven(value, required && !(generated && isNew), scope)) return value === null ? null : undefined;
      const checked = checkValue(type, rules, value, scope);
      if ('value' in checked) return checked.value;
      for (const { path, message } of checked.issues) report(scope, message, path);
      return undefined;
    },
  };
}
