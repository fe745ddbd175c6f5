/** The steps of a write's transaction that check the rule of its action: the entry as it was, and as it is written. */
import { ruleOf } from '../../contract/policy/caller.ts';
import type { NewId } from '../../database/new-id.ts';
import type { Transaction } from '../../database/write-plan.ts';
import { sql } from '../../database/sql.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { HookedType } from '../context.ts';
import { amongWhich, isRuled, refusedByRule, type RuledAction } from './action-rules.ts';

/** A step that only reads. */
type Check = (tx: Transaction) => Promise<readonly never[]>;

export interface RuleSteps {
  before(id: number): readonly Check[];
  /** `isNew`: the action has made the entry. */
  after(id: number | NewId, isNew?: boolean): readonly Check[];
}

/** Undefined if no rule says which entries the action may change. The checks throw ForbiddenError. */
export function ruleSteps(context: HookedType, action: RuledAction, call: CallContext): RuleSteps | undefined {
  const { caller } = call;
  if (!isRuled(context, caller, action)) return undefined;
  const { type } = context;
  const keeps = ruleOf(caller, action, type.uid)?.keep !== false;
  const require = async (tx: Transaction, id: number): Promise<readonly never[]> => {
    const permitted = await amongWhich(context, [id], call, { question: action, executor: tx });
    if (!permitted.has(id)) throw refusedByRule(caller, type, action);
    return [];
  };
  const before =
    (id: number): Check =>
    async (tx) => {
      const { id: quote, rowLock } = tx.dialect;
      // Nobody else changes it between this check and the write.
      if (rowLock.text !== '') await tx.get(sql`SELECT id FROM ${quote(type.table)} WHERE id = ${id}${rowLock}`);
      return require(tx, id);
    };
  return {
    before: (id) => (action === 'create' ? [] : [before(id)]),
    after: (id, isNew = false) =>
      action === 'create' || (action !== 'delete' && (keeps || isNew))
        ? [(tx) => require(tx, typeof id === 'number' ? id : id.value)]
        : [],
  };
}
