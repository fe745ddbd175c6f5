/** The query for the entries that an action reaches by the rules of a role, as requests narrow it. */
import type { Caller } from '../../contract/policy/caller.ts';
import type { LINK } from '../../contract/policy/rule.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import { OWN } from '../../query/format.ts';
import type { ValueOf } from '../../query/rules/rule-narrowing.ts';
import type { HookedType } from '../context.ts';
import { ANY_STATE, narrowedTo, PUBLISHED, type RuledAction } from './action-rules.ts';
import { narrowByRules } from './read-rules.ts';

/** An action on entries: by `preview`, drafts are read as well. */
export type ExplainedAction = 'find' | 'findOne' | 'preview' | RuledAction | typeof LINK;

/** `valueOf`: the values of the variables in the rules. */
export async function actionQuery(
  context: HookedType,
  caller: Caller,
  action: ExplainedAction,
  valueOf: ValueOf,
): Promise<EntryQuery> {
  if (action !== 'find' && action !== 'findOne' && action !== 'preview') {
    return narrowedTo({ ...context, ruleValues: () => valueOf }, ANY_STATE, { caller }, action);
  }
  const narrow = narrowByRules(context.types, () => valueOf);
  const query = action === 'preview' ? ANY_STATE : PUBLISHED;
  const request = await narrow(context.type, { caller, query, format: OWN }, action === 'findOne' ? 'one' : 'many');
  return request.query;
}
