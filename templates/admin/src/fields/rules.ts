/** The server's rules, checked as values are entered. The server reports what only it can check, such as `unique`. */
import { attributeType, castScalar, isGenerated } from '../../../runtime/src/contract/attribute-types/scalar-type.ts';
import { type ValueRule, valueRules } from '../../../runtime/src/contract/attribute-types/value-rules.ts';
import { itemCountProblem } from '../../../runtime/src/contract/item-count.ts';
import { codeOf } from '../../../runtime/src/contract/message-codes.ts';
import { type ComponentAttribute, isScalar, type ScalarAttribute, type ZoneAttribute } from '../model/model.ts';

/** A translation key with its arguments. `_` is the text if there is no translation. */
export interface RuleMessage {
  readonly message: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The panel's own text for a message of the server. */
function ruleMessage(message: string): RuleMessage {
  const coded = codeOf(message);
  return coded
    ? { message: `rules.${coded.code}`, args: { ...coded.params, _: message } }
    : { message, args: { _: message } };
}

const compiledRules = new WeakMap<ScalarAttribute, readonly ValueRule[]>();

function rulesFor(attribute: ScalarAttribute): readonly ValueRule[] {
  const rules = compiledRules.get(attribute) ?? valueRules(attributeType(attribute.type), attribute);
  compiledRules.set(attribute, rules);
  return rules;
}

function scalarProblem(value: unknown, attribute: ScalarAttribute, isDraft: boolean): string | undefined {
  const cast = castScalar(attribute.type, value);
  if (!cast.ok) return cast.message;
  for (const rule of rulesFor(attribute)) {
    const problem = rule(cast.value, isDraft);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The first rule that a value breaks. `undefined` is always valid: the value was not loaded, such as a password, and stays unchanged. */
export function brokenRule(
  value: unknown,
  attribute: ScalarAttribute | ComponentAttribute | ZoneAttribute,
  isDraft: boolean,
): RuleMessage | undefined {
  if (value === undefined) return undefined;
  if (isEmpty(value)) {
    // The server generates a required uid if it is empty.
    const isMissing = attribute.required === true && !isDraft && !(isScalar(attribute) && isGenerated(attribute.type));
    return isMissing ? { message: 'rules.required', args: {} } : undefined;
  }
  const problem = isScalar(attribute)
    ? scalarProblem(value, attribute, isDraft)
    : itemCountProblem((value as readonly unknown[]).length, attribute, isDraft);
  return problem === undefined ? undefined : ruleMessage(problem);
}
