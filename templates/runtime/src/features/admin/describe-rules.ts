/** What the rules of the caller's role permit of a type, for the panel. */
import type { AdminRules } from '../../contract/admin.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, ruleOf, type WriteAction } from '../../contract/policy/caller.ts';
import { mayName } from '../../entries/rules/ruled-data.ts';

const WRITES = ['create', 'update', 'draft'] as const satisfies readonly WriteAction[];

/** The writes in which the caller may not name the attribute. */
export function refusedIn(caller: Caller, type: ContentType, name: string): readonly WriteAction[] {
  return WRITES.filter((action) => {
    const rule = ruleOf(caller, action, type.uid);
    return rule !== undefined && !mayName(rule, type, name);
  });
}

/** Undefined if each permission holds for every entry. */
export function describeRules(caller: Caller, type: ContentType): AdminRules | undefined {
  const ruled = [...WRITES, 'delete' as const].flatMap((action) => {
    const where = ruleOf(caller, action, type.uid)?.where;
    return where ? [[action, where] as const] : [];
  });
  if (ruled.length === 0) return undefined;
  return { where: Object.fromEntries(ruled) };
}
