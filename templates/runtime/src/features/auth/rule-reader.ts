/** Reads the rules of roles that are changed at run time. */
import { addIssue, type Issue, ValidationError } from '../../contract/errors.ts';
import { readRule } from '../../contract/policy/rule-form.ts';
import { castJson } from '../../contract/values/json.ts';
import type { ReadRule } from './permission-tree.ts';

/** Throws ValidationError with all that is wrong with the rule. */
export const ruleOfRequest: ReadRule = (value, permission, path) => {
  const cast = castJson(value);
  if (!cast.ok) throw new ValidationError([{ path: [...path], message: cast.message }]);
  const issues: Issue[] = [];
  const rule = readRule(cast.value, permission, ({ path: inner, message, hint }) => {
    const at = [...path, ...inner.map(String)];
    addIssue(issues, at, () => (hint === undefined ? message : `${message}: ${hint}`));
  });
  if (issues.length > 0) throw new ValidationError(issues);
  return rule;
};
