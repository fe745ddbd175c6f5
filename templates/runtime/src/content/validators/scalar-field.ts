/** The validator of a scalar attribute: presence, default, cast, then the rules of the attribute. */
import type { AttributeType, ScalarRules } from '../../contract/attribute-types/attribute-type.ts';
import { attributeType, isGenerated, type ScalarType } from '../../contract/attribute-types/scalar-type.ts';
import { type ValueRule, valueRules } from '../../contract/attribute-types/value-rules.ts';
import type { Issue } from '../../contract/errors.ts';
import { type Field, report, type Scope } from './field.ts';
import { isGiven } from './presence.ts';

/** The rules of the attribute, and its default, which is stored on create if the attribute is missing, but not if it is null. */
export interface ScalarFieldOptions extends ScalarRules {
  readonly default?: unknown;
  /** The attribute from which a missing uid is generated. */
  readonly targetField?: string | undefined;
}

type Checked = { readonly value: unknown } | { readonly issues: readonly Issue[] };

/** Casts a value and checks it against the rules; values of types with `problems` by that, which can find several issues. */
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

/** The canonical default. Throws TypeError if it is invalid. */
function checkDefault(name: ScalarType, rules: readonly ValueRule[], given: unknown): unknown {
  if (given === undefined) return undefined;
  const checked = checkValue(attributeType(name), rules, given, { path: [], draft: false });
  if ('value' in checked) return checked.value;
  throw new TypeError(`The default of an attribute of type ${name} ${checked.issues[0]?.message}`);
}

/** The validator of an attribute of this type. Throws TypeError for an invalid default or bound. */
export function scalarField(name: ScalarType, options: ScalarFieldOptions = {}): Field {
  const type = attributeType(name);
  const rules = valueRules(type, options);
  const initial = checkDefault(name, rules, options.default);
  const required = options.required === true;
  const generated = isGenerated(name);
  const isMade = generated && options.targetField !== undefined;
  // Forms send an empty string for a value that is still to be made from the target.
  const isAbsent = (value: unknown): boolean => value === undefined || (isMade && value === '');
  return {
    check(sent, scope) {
      const value = isAbsent(sent) ? undefined : sent;
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
