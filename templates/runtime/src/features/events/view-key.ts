/** Which callers find the same, so that it is read once for all of them. */
import type { Caller } from '../../contract/policy/caller.ts';
import type { Permissions } from '../../contract/policy/rule.ts';
import { variablesIn } from '../../query/rules/rule-filter.ts';

/** Whether the rules ask who the caller is, or from where. */
function asksWho({ rules = {} }: Permissions): boolean {
  return Object.values(rules).some(({ where }) => where && variablesIn(where).some(({ kind }) => kind !== 'now'));
}

/** Numbers the sets of permissions: equal ones are one object. */
export function createViewKeys(hasOwnCode: boolean): (caller: Caller) => string {
  const known = new WeakMap<Permissions, { readonly key: string; readonly asksWho: boolean }>();
  let count = 0;
  return ({ permissions, kind, userId, tokenId, host }) => {
    const found = known.get(permissions) ?? { key: String((count += 1)), asksWho: asksWho(permissions) };
    known.set(permissions, found);
    return hasOwnCode || found.asksWho
      ? `${found.key} ${kind} ${userId ?? ''} ${tokenId ?? ''} ${host ?? ''}`
      : found.key;
  };
}
