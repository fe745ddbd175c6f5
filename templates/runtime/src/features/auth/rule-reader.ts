/** Reads the rules of roles that are changed at run time: they are checked as those of the schema. */
import type { ContentTypes } from '../../contract/content-type.ts';
import { addIssue, type Issue, ValidationError } from '../../contract/errors.ts';
import { checkRule } from '../../contract/policy/check-rule.ts';
import type { RuleProblem } from '../../contract/policy/rule-form.ts';
import { ruleTypes } from '../../contract/policy/rule-types.ts';
import { castJson } from '../../contract/values/json.ts';
import type { ReadRule } from './permission-tree.ts';

/** Reads rules about these types, and throws ValidationError with all that is wrong with one. */
export function ruleReader(types: ContentTypes): ReadRule {
  const known = ruleTypes(types);
  return (value, permission, path) => {
    const cast = castJson(value);
    if (!cast.ok) throw new ValidationError([{ path: [...path], message: cast.message }]);
    const issues: Issue[] = [];
    const report = ({ path: inner, message, hint }: RuleProblem): void => {
      const at = [...path, ...inner.map(String)];
      addIssue(issues, at, () => (hint === undefined ? message : `${message}: ${hint}`));
    };
    const rule = checkRule(permission, cast.value, { types: known, report });
    if (issues.length > 0) throw new ValidationError(issues);
    return rule;
  };
}
