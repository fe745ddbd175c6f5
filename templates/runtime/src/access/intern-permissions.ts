/** Interns sets of permissions: their identity is part of the cache key of compiled queries. */
import { LRUCache } from 'lru-cache';
import { permissionSet, ruleText } from '../contract/policy/permission-set.ts';
import type { Permissions, Rules } from '../contract/policy/rule.ts';

const MAX_SETS = 500;

/** Returns the same object for the same permissions with the same rules, in any order. */
export type InternPermissions = (permissions: Iterable<string>, rules?: Rules) => Permissions;

function keyOf(names: readonly string[], rules: Rules | undefined): string {
  if (!rules) return names.join();
  return names.map((name) => `${name}${rules[name] ? ruleText(rules[name]) : ''}`).join();
}

export function createPermissionInterner(): InternPermissions {
  const known = new LRUCache<string, Permissions>({ max: MAX_SETS });
  return (permissions, rules) => {
    const sorted = [...new Set(permissions)].sort();
    const key = keyOf(sorted, rules);
    const set = known.get(key) ?? permissionSet(sorted, rules);
    known.set(key, set);
    return set;
  };
}
