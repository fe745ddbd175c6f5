/** Rules of permissions: checked, with the positions of what is wrong. */
import { readRule, type RuleProblem } from '#contract/policy/rule-form.ts';
import type { Rule } from '#contract/policy/rule.ts';
import { reportError } from '../diagnostics/report.ts';
import { placeOf, type WrittenJson } from '../schema/written-json.ts';
import type { ModelContext } from './model-context.ts';

/** The rule of `permission`. Problems are reported where they were written. */
export function resolveRule({ report }: ModelContext, permission: string, written: WrittenJson): Rule {
  const reportRule = ({ path, part, message, hint }: RuleProblem): void =>
    reportError(report, { code: 'permission/rule', message, location: placeOf(written, path, part), hint });
  return readRule(written.value, permission, reportRule);
}
