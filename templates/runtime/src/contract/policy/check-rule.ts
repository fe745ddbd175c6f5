/**
 * Checks the rule of a permission against the types of a server: when a schema is read, and when roles are changed at run time.
 */
import type { JsonValue } from '../values/json.ts';
import { checkFileWhere, checkWhere, type WhereCheck } from './check-where.ts';
import { readRule, type ReportRule } from './rule-form.ts';
import type { RuleAttribute, RuleOwner } from './rule-types.ts';
import { valueProblem } from './rule-values.ts';
import type { Rule } from './rule.ts';

/** Attributes that requests may name beside those of the type, and that a rule can therefore withhold. */
const FURTHER: ReadonlySet<string> = new Set(['publishedAt']);

function checkNames(owner: RuleOwner, rule: Rule, member: 'only' | 'except', report: ReportRule): void {
  const names = [...owner.attributes.keys(), ...[...owner.system.keys()].filter((name) => FURTHER.has(name))];
  const seen = new Set<string>();
  for (const [index, name] of (rule[member] ?? []).entries()) {
    const path = [member, index];
    if (!names.includes(name)) {
      const message = `\`${owner.uid}\` has no attribute \`${name}\``;
      report({ path, part: 'value', message, suggest: { name, names } });
    } else if (seen.has(name)) {
      report({ path, part: 'value', message: `\`${name}\` is there twice` });
    }
    seen.add(name);
  }
}

/** Whether the server can write the attribute from one value. */
function isSettable(attribute: RuleAttribute): attribute is Extract<RuleAttribute, { kind: 'scalar' | 'relation' }> {
  return attribute.kind === 'scalar' || (attribute.kind === 'relation' && !attribute.many && attribute.media !== true);
}

function checkSet({ types, report }: WhereCheck, owner: RuleOwner, set: NonNullable<Rule['set']>): void {
  for (const [name, value] of Object.entries(set)) {
    const path = ['set', name];
    const attribute = owner.attributes.get(name);
    if (!attribute) {
      const message = `\`${owner.uid}\` has no attribute \`${name}\``;
      report({ path, part: 'key', message, suggest: { name, names: [...owner.attributes.keys()] } });
    } else if (!isSettable(attribute)) {
      const message = `\`set\` can't write \`${name}\`: only attributes with one value, and relations to one entry`;
      report({ path, part: 'key', message });
    } else if (value !== null) {
      const found = valueProblem(types, value, { name, attribute });
      if (found) report({ path, part: 'value', ...found });
    }
  }
}

/**
 * The rule of `permission` (`comment.update`), read from JSON. Everything that is wrong with it is reported; the result is to be used only
 * if nothing is.
 */
export function checkRule(permission: string, value: JsonValue, check: WhereCheck): Rule {
  const { types, report } = check;
  const subject = permission.slice(0, permission.indexOf('.'));
  const owner = types.type(subject);
  const rule = readRule(value, permission, { hasEntries: owner !== undefined, report });
  if (!owner) {
    if (rule.where) checkFileWhere(report, rule.where);
    return rule;
  }
  if (rule.where) checkWhere(check, owner, rule.where);
  if (rule.set) checkSet(check, owner, rule.set);
  checkNames(owner, rule, 'only', report);
  checkNames(owner, rule, 'except', report);
  return rule;
}
