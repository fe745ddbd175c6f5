/** Rules of permissions: checked, with the positions of what is wrong. */
import { checkRule } from '#contract/policy/check-rule.ts';
import type { RuleCondition } from '#contract/policy/check-where.ts';
import { PUBLIC } from '#contract/policy/built-in-roles.ts';
import { isMap, type RuleProblem } from '#contract/policy/rule-form.ts';
import type { RuleTypes } from '#contract/policy/rule-types.ts';
import { type Rule, variableOf } from '#contract/policy/rule.ts';
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';
import { reportError, reportWarning } from '../diagnostics/report.ts';
import { nearest, suggestion } from '../diagnostics/suggest.ts';
import { named } from '../diagnostics/visible-text.ts';
import { placeOf, type WrittenJson } from '../schema/written-json.ts';
import type { ModelContext } from './model-context.ts';

/** A condition of a rule, for advice about indexes. */
export interface LocatedCondition extends RuleCondition {
  readonly permission: string;
  readonly location: SourceLocation;
}

/** What rules are resolved with. */
export interface RuleContext extends Pick<ModelContext, 'report'> {
  readonly role: string;
  readonly ruleTypes: RuleTypes;
  onCondition(condition: LocatedCondition): void;
}

function hintOf({ hint, suggest }: RuleProblem): string | undefined {
  if (!suggest) return hint;
  const { name, names } = suggest;
  if (hint === undefined) return suggestion(name, names);
  const near = nearest(name, names);
  return near === undefined ? hint : `did you mean ${named(near)}?`;
}

/** The path to the first variable that depends on who is signed in. */
function callersVariable(value: JsonValue, path: readonly (string | number)[] = []): RuleProblem['path'] | undefined {
  const inner = Array.isArray(value) ? [...value.entries()] : isMap(value) ? Object.entries(value) : [];
  for (const [step, one] of inner) {
    const found = callersVariable(one as JsonValue, [...path, step]);
    if (found) return found;
  }
  const variable = variableOf(value);
  return variable && variable.kind !== 'now' ? path : undefined;
}

/** Visitors are nobody: a comparison with who they are never holds. */
function checkVisitor({ report, role }: RuleContext, written: WrittenJson): void {
  const path = role === PUBLIC ? callersVariable(written.value) : undefined;
  if (!path) return;
  reportWarning(report, {
    code: 'permission/rule',
    message: `callers with the role ${named(PUBLIC)} are not signed in, so this condition never holds`,
    location: placeOf(written, path, 'value'),
    hint: 'give the permission to another role, or remove the condition',
  });
}

/** The rule of `permission`. Problems are reported where they were written. */
export function resolveRule(context: RuleContext, permission: string, written: WrittenJson): Rule {
  const { report, ruleTypes: types } = context;
  const reportRule = (problem: RuleProblem): void => {
    const { path, part, message } = problem;
    const location = placeOf(written, path, part);
    reportError(report, { code: 'permission/rule', message, location, hint: hintOf(problem) });
  };
  const onCondition = (condition: RuleCondition): void =>
    context.onCondition({ ...condition, permission, location: placeOf(written, condition.path, 'key') });
  const rule = checkRule(permission, written.value, { types, report: reportRule, onCondition });
  checkVisitor(context, written);
  return rule;
}
