/** Sets of permissions with their rules. */
import type { JsonValue } from '../values/json.ts';
import type { Permissions, Rule, Rules } from './rule.ts';

/** A text that is the same for equal values, in whatever order their members are. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join()}}`;
}

/** A text that is the same for equal rules. */
export function ruleText({ where, keep, set, only, except }: Rule): string {
  return canonicalJson({
    ...(where && { where }),
    ...(keep !== undefined && { keep }),
    ...(set && { set }),
    ...(only && { only: [...only].sort() }),
    ...(except && { except: [...except].sort() }),
  });
}

/** Whether two permissions reach the same: neither has a rule, or both have an equal one. */
export function isSameRule(one: Rule | undefined, other: Rule | undefined): boolean {
  if (one === other) return true;
  return one !== undefined && other !== undefined && ruleText(one) === ruleText(other);
}

/** The rules of these permissions; undefined if none has one. */
function rulesAmong(names: ReadonlySet<string>, rules: Rules | undefined): Rules | undefined {
  const own = Object.entries(rules ?? {}).filter(([name]) => names.has(name));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

/** The set of these names, with those of the `rules` that are of one of them. */
export function permissionSet(names: Iterable<string>, rules?: Rules): Permissions {
  const set = new Set(names);
  const own = rulesAmong(set, rules);
  return own ? Object.assign(set, { rules: own }) : set;
}
