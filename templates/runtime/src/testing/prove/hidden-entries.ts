/**
 * What a caller may not see, by the text of the rules: their filters are sent as queries of the server itself, in which variables are
 * replaced. Nothing of what enforces rules is used.
 */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type Caller, may, ruleOf } from '../../contract/policy/caller.ts';
import { permissionSet } from '../../contract/policy/permission-set.ts';
import { type Rule, type RuleVariable, variableOf } from '../../contract/policy/rule.ts';
import type { JsonValue } from '../../contract/values/json.ts';
import { entriesOf } from '../../features/seed/entry-writer.ts';
import type { ServerDefinition } from '../../server/definition.ts';
import type { Twin, TwinCaller } from './twins.ts';

type Filter = Readonly<Record<string, unknown>>;

const NOTHING: Filter = { id: { $lt: 0 } };
/** The id of no user: what visitors compare with. */
const NOBODY = 0;

/** The caller as the policy sees it. */
export function policyCaller({ roles, rules }: ServerDefinition, { role, userId }: TwinCaller): Caller {
  const permissions = permissionSet(roles[role] ?? [], rules?.[role]);
  return { kind: userId === undefined ? 'public' : 'user', role, ...(userId !== undefined && { userId }), permissions };
}

/** The query that populates the relations of a path. */
function populateOf(
  types: ContentTypes,
  type: ContentType | undefined,
  [name = '', ...rest]: readonly string[],
): Filter {
  const attribute = type?.attributes[name];
  if (attribute?.type !== 'relation') return {};
  return { populate: { [name]: populateOf(types, types.types[attribute.target ?? ''], rest) } };
}

/** The value of a variable; undefined if it has none. */
async function valueOf(variable: RuleVariable, { entries, types }: Twin, { userId }: TwinCaller): Promise<unknown> {
  if (variable.kind === 'now') return new Date().toISOString();
  // No entry is that of the host at which the servers are reached.
  if (variable.kind === 'token' || variable.kind === 'host') return undefined;
  const { path } = variable;
  if (path.length === 0) return userId ?? NOBODY;
  if (userId === undefined) return undefined;
  let value: unknown = await entriesOf(entries, 'user').findOne(userId, populateOf(types, types.types['user'], path));
  for (const name of ['data', ...path]) value = memberOf(value, name);
  return typeof value === 'object' && value !== null ? memberOf(value, 'id') : (value ?? undefined);
}

/** A member of an entry, with or without its `data` and `attributes`. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const object = value as Filter;
  if (name in object) return object[name];
  return memberOf(object['data'] ?? object['attributes'], name);
}

/** Whether a value is missing: then the condition matches nothing. */
const MISSING = Symbol('missing');

async function replaced(value: JsonValue | undefined, twin: Twin, caller: TwinCaller): Promise<unknown> {
  if (value === undefined || value === null) return value;
  const variable = variableOf(value);
  if (variable) return (await valueOf(variable, twin, caller)) ?? MISSING;
  if (Array.isArray(value)) {
    const all = await Promise.all(value.map((each: JsonValue) => replaced(each, twin, caller)));
    return all.filter((each) => each !== MISSING);
  }
  if (typeof value !== 'object') return value;
  const members = await Promise.all(
    Object.entries(value).map(async ([name, each]) => [name, await replaced(each, twin, caller)] as const),
  );
  // `{ team: $user.team }` and `{ team: { $eq: $user.team } }` alike.
  return members.some(([, each]) => each === MISSING) ? NOTHING : Object.fromEntries(members);
}

async function ids(twin: Twin, type: ContentType, query: Filter): Promise<readonly number[]> {
  const found: number[] = [];
  const everyLocale = type.localized ? { locale: 'all' } : {};
  for await (const entry of entriesOf(twin.entries, type.uid).stream({ ...everyLocale, ...query })) {
    found.push((entry as { readonly id: number }).id);
  }
  return found;
}

async function reachedBy(twin: Twin, type: ContentType, rule: Rule | undefined, caller: TwinCaller): Promise<Filter> {
  return rule?.where ? ((await replaced(rule.where, twin, caller)) as Filter) : {};
}

/** All entries of a collection type, drafts included. */
export function allIds(twin: Twin, type: ContentType): Promise<readonly number[]> {
  return ids(twin, type, type.draftAndPublish ? { publicationState: 'preview' } : {});
}

/** Ids of entries of a type: published ones, or all of a type without drafts, and drafts. */
export interface EntryIds {
  readonly found: ReadonlySet<number>;
  readonly drafts: ReadonlySet<number>;
  /** Drafts that the caller may change and connect, but is not shown: without `preview`. */
  readonly unshown?: ReadonlySet<number>;
  /** The ids that each action alone finds, as a text to compare: lists may show others than are found by id. */
  readonly byAction: string;
}

/** The entries of a collection type that the caller may find, in a list or by id. */
export async function visibleIds(
  twin: Twin,
  definition: ServerDefinition,
  caller: TwinCaller,
  type: ContentType,
): Promise<EntryIds> {
  const policy = policyCaller(definition, caller);
  const found = new Set<number>();
  const drafts = new Set<number>();
  const unshown = new Set<number>();
  const byAction: unknown[] = [];
  for (const action of ['find', 'findOne'] as const) {
    if (!may(policy, action, type.uid)) continue;
    const reach = async (into: Set<number>, query: Filter): Promise<void> => {
      const reached = await ids(twin, type, query);
      for (const id of reached) into.add(id);
      byAction.push([action, reached]);
    };
    const filters = await reachedBy(twin, type, ruleOf(policy, action, type.uid), caller);
    await reach(found, { filters });
    if (!type.draftAndPublish) {
      // Where drafts are read, and for writes, the rule asks the drafts of related entries.
      await reach(found, { filters, publicationState: 'preview' });
      continue;
    }
    if (!may(policy, 'preview', type.uid)) {
      await reach(unshown, { filters, publicationState: 'preview' });
      continue;
    }
    const ofDrafts = await reachedBy(twin, type, ruleOf(policy, 'preview', type.uid), caller);
    await reach(drafts, { filters: { $and: [filters, ofDrafts] }, publicationState: 'preview' });
  }
  return { found, drafts, unshown, byAction: JSON.stringify(byAction) };
}

/** The entries of a collection type that the rules of changes reach, as a text to compare. */
export async function changeableBy(
  twin: Twin,
  definition: ServerDefinition,
  caller: TwinCaller,
  type: ContentType,
): Promise<ReadonlyMap<number, string>> {
  const policy = policyCaller(definition, caller);
  const reached = new Map<number, string>();
  for (const action of ['update', 'draft'] as const) {
    const filters = await reachedBy(twin, type, ruleOf(policy, action, type.uid), caller);
    // Rules of changes see the drafts of related entries, too.
    for (const id of await ids(twin, type, { filters, publicationState: 'preview' })) {
      reached.set(id, `${reached.get(id) ?? ''} ${action}`);
    }
  }
  return reached;
}

/** Names that occur in the rules of any role: what these attributes hold may decide who sees an entry. */
export function namesInRules({ rules = {} }: ServerDefinition): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      names.add(name);
      visit(each);
    }
  };
  for (const ofRole of Object.values(rules)) for (const { where } of Object.values(ofRole)) visit(where);
  return names;
}
