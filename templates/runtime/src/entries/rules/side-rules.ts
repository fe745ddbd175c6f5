/** Rules for entries that a write changes without naming them: that is an update of them. */
import type { ContentType } from '../../contract/content-type.ts';
import { ForbiddenError, ValidationError } from '../../contract/errors.ts';
import { type Caller, ruleOf } from '../../contract/policy/caller.ts';
import { LINK } from '../../contract/policy/rule.ts';
import type { SideChange } from '../../content/relations/reach.ts';
import type { Executor } from '../../database/executor.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { HookedType } from '../context.ts';
import { amongWhich, rulesLink } from './action-rules.ts';
import { attributeRule, mayChangeItems, mayName } from './ruled-data.ts';

/** Whether a rule of the caller says which entries of the type are updated, or what is written with it. */
export function hasUpdateRule({ type }: HookedType, caller: Caller): boolean {
  const rule = ruleOf(caller, 'update', type.uid);
  return rule?.where !== undefined || rule?.set !== undefined;
}

/** Throws for a relation that the rule of updates does not permit the caller to change: for a deletion ForbiddenError. */
export function requireWritableSide(caller: Caller, { type, attribute, path, trusted }: SideChange): void {
  const rule = trusted ? undefined : attributeRule(caller, 'update', type);
  if (!rule) return;
  if (attribute === undefined ? mayChangeItems(rule, type) : mayName(rule, type, attribute)) return;
  if (path.length === 0) {
    throw new ForbiddenError({ message: `entries of ${type.uid} refer to it, which this role may not update` });
  }
  const name = path.join('.');
  const message = `${name} changes entries of ${type.uid}, which this role may not update`;
  throw new ValidationError([{ path, message }]);
}

/** Those of the entries that the caller may not connect, though they may be found. */
export async function unlinkableAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
  executor: Executor,
): Promise<ReadonlySet<number>> {
  if (!rulesLink(context, call.caller)) return new Set();
  const linkable = await amongWhich(context, ids, call, { question: LINK, executor });
  return new Set(ids.filter((id) => !linkable.has(id)));
}

/** Whether a rule concerns updates of the type, from whichever side. */
export function hasRuleOfUpdates(caller: Caller, { uid }: ContentType): boolean {
  return ruleOf(caller, 'update', uid) !== undefined;
}
