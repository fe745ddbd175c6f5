/** Which entries a caller may find, change or connect by the rules of the permissions. */
import { ForbiddenError, NotFoundError } from '../../contract/errors.ts';
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may, mayFind, ruleOf, type WriteAction } from '../../contract/policy/caller.ts';
import { hasRight } from '../../contract/policy/rights.ts';
import { permissionName } from '../../contract/policy/permission-name.ts';
import { LINK, type Permissions, type RuleFilter } from '../../contract/policy/rule.ts';
import type { Executor } from '../../database/executor.ts';
import type { CallContext } from '../../query/entry-request.ts';
import type { EntryQuery } from '../../query/entry-query.ts';
import { narrowed } from '../../query/narrowing.ts';
import { queryOf } from '../../query/query-of.ts';
import { type RuleNarrowing, ruleNarrowing } from '../../query/rules/rule-narrowing.ts';
import type { HookedType } from '../context.ts';
import { findingRules } from './read-rules.ts';

/** The actions whose rules say which entries are changed. */
export type RuledAction = WriteAction | 'delete';

/** What is asked about an entry: whether it is found, also as a draft that the caller may not see; or changed, or connected; or whether its history is. */
type Question = 'found' | 'shown' | 'history' | RuledAction | typeof LINK;

const NOTHING: RuleFilter = { $or: [] };

/** The query for rows in any state. */
export const ANY_STATE = queryOf({ fields: ['id'], publicationState: 'preview' });
/** The query for what is published. */
export const PUBLISHED = queryOf({ fields: ['id'] });

/** What the caller may find, by either action; undefined if everything, or if neither is permitted. */
export function foundWhere(caller: Caller, { uid }: ContentType): RuleFilter | undefined {
  const actions = (['find', 'findOne'] as const).filter((action) => may(caller, action, uid));
  const filters = actions.map((action) => ruleOf(caller, action, uid)?.where);
  const known = filters.filter((where) => where !== undefined);
  return known.length === 0 || known.length < filters.length ? undefined : { $or: known };
}

function narrowingFor({ type, types }: HookedType, caller: Caller, question: Question): RuleNarrowing | undefined {
  const { uid } = type;
  // Files may be found by the entries that use them.
  const others = findingRules(caller, uid === 'file' ? Object.values(types.types) : []);
  if (question !== 'found' && question !== 'shown') {
    const where = caller.permissions.rules?.[permissionName(uid, question)]?.where;
    return where && ruleNarrowing({ ...others, ofRoot: where });
  }
  const where = foundWhere(caller, type);
  const hasDrafts = type.draftAndPublish;
  const isUnseen = hasDrafts && question === 'shown' && !hasRight(caller, 'drafts', uid);
  const drafts = isUnseen ? NOTHING : hasDrafts ? ruleOf(caller, 'preview', uid)?.where : undefined;
  if (!where && !drafts) return undefined;
  return ruleNarrowing({
    ...others,
    ofRoot: where ?? {},
    ofDrafts: { ...others.ofDrafts, ...(drafts && { [uid]: drafts }) },
  });
}

const known = new WeakMap<Permissions, Map<string, RuleNarrowing | undefined>>();

/** The narrowing to the entries of which the answer is yes; undefined if that are all. */
function narrowingOf(context: HookedType, caller: Caller, question: Question): RuleNarrowing | undefined {
  const { permissions } = caller;
  if (!permissions.rules) return undefined;
  const own = known.get(permissions) ?? new Map<string, RuleNarrowing | undefined>();
  known.set(permissions, own);
  const key = `${context.type.uid} ${question}`;
  if (!own.has(key)) own.set(key, narrowingFor(context, caller, question));
  return own.get(key);
}

/** Whether rules hide some entries of the type from the caller. */
export function rulesHide(context: HookedType, caller: Caller): boolean {
  return narrowingOf(context, caller, 'found') !== undefined;
}

/** Whether a rule says which entries the caller may connect. */
export function rulesLink(context: HookedType, caller: Caller): boolean {
  return narrowingOf(context, caller, LINK) !== undefined;
}

/** Whether a rule says which entries the action changes. */
export function isRuled(context: HookedType, caller: Caller, action: RuledAction): boolean {
  return narrowingOf(context, caller, action) !== undefined;
}

/** The query, narrowed to the entries of which the answer is yes; the query itself if that are all. */
export async function narrowedTo(
  context: HookedType,
  query: EntryQuery,
  { caller }: CallContext,
  question: Question,
): Promise<EntryQuery> {
  const narrowing = narrowingOf(context, caller, question);
  if (!narrowing) return query;
  if (!context.ruleValues) throw new Error('a server without rules in its schema has a caller with rules');
  return narrowing.narrow(query, await context.ruleValues(caller));
}

/** What is asked of entries, and of which of them. */
interface Asked {
  readonly question: Question;
  /** Further filters, of a hook. */
  readonly filters?: object | undefined;
  readonly executor?: Executor | undefined;
}

/** Those of the entries of which the answer is yes. They are found and shown in either state, and changed as drafts. */
export async function amongWhich(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
  { question, filters, executor }: Asked,
): Promise<ReadonlySet<number>> {
  const { reader, type, server } = context;
  const inState = async (state: EntryQuery, asked: readonly number[]): Promise<ReadonlySet<number>> => {
    if (asked.length === 0) return new Set();
    const own = filters ? narrowed(state, { [type.uid]: filters }) : state;
    const query = await narrowedTo(context, own, call, question);
    if (query === state) return new Set(asked);
    return reader.matching(type, { caller: server, query }, asked, executor);
  };
  const drafts = await inState(ANY_STATE, ids);
  if (!type.draftAndPublish || (question !== 'found' && question !== 'shown')) return drafts;
  const published = await inState(
    PUBLISHED,
    ids.filter((id) => !drafts.has(id)),
  );
  return new Set([...drafts, ...published]);
}

/** The error for a change that a rule refuses. */
export function refusedByRule(caller: Caller, { uid }: ContentType, action: RuledAction): ForbiddenError {
  return new ForbiddenError({ reason: `the rule of ${permissionName(uid, action)} refuses it to ${caller.role}` });
}

/** Those of the entries that the caller is shown, and so may be told about. */
export async function shownAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
): Promise<ReadonlySet<number>> {
  const { type } = context;
  return mayFind(call.caller, type.uid) ? amongWhich(context, ids, call, { question: 'shown' }) : new Set();
}

/**
 * Those of the entries that the action may change. The others are as if they were not there, unless the caller is shown one of them:
 * then throws ForbiddenError.
 */
export async function permittedAmong(
  context: HookedType,
  ids: readonly number[],
  call: CallContext,
  action: RuledAction,
): Promise<ReadonlySet<number>> {
  const permitted = await amongWhich(context, ids, call, { question: action });
  const refused = ids.filter((id) => !permitted.has(id));
  if (refused.length > 0 && (await shownAmong(context, refused, call)).size > 0) {
    throw refusedByRule(call.caller, context.type, action);
  }
  return permitted;
}

/** Throws ForbiddenError if the action may not change the entry, or `hidden` if the caller is not even shown it. */
export async function requirePermitted(
  context: HookedType,
  id: number,
  call: CallContext,
  {
    action,
    hidden = () => new NotFoundError(),
  }: { readonly action: RuledAction; readonly hidden?: (() => Error) | undefined },
): Promise<void> {
  if (!(await permittedAmong(context, [id], call, action)).has(id)) throw hidden();
}
