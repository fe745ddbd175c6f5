/** Narrows reads by the rules of the caller. */
import type { ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type Caller, ruleOf } from '../../contract/policy/caller.ts';
import type { Permissions, RuleFilter } from '../../contract/policy/rule.ts';
import type { EntryRequest } from '../../query/entry-request.ts';
import type { ReadKind } from '../../query/entry-query.ts';
import type { Narrow } from '../../query/narrowing.ts';
import { readRuleOf } from '../../query/rules/permitted-attributes.ts';
import { type RuleFilters, type RuleNarrowing, ruleNarrowing } from '../../query/rules/rule-narrowing.ts';
import { typesReachedFrom } from '../narrow-reads.ts';
import type { RuleValues } from './rule-values.ts';

type ByType = Readonly<Record<string, RuleFilter>>;

function byType(types: readonly ContentType[], whereOf: (type: ContentType) => RuleFilter | undefined): ByType {
  return Object.fromEntries(
    types.flatMap((type) => {
      const where = whereOf(type);
      return where ? [[type.uid, where] as const] : [];
    }),
  );
}

/** The rules of finding entries of these types, and their drafts. */
export function findingRules(
  caller: Caller,
  types: readonly ContentType[],
): Pick<RuleFilters, 'ofType' | 'ofDrafts' | 'viewer'> {
  return {
    ofType: byType(types, (type) => readRuleOf(caller, type, 'many')?.where),
    ofDrafts: byType(types, (type) => (type.draftAndPublish ? ruleOf(caller, 'preview', type.uid)?.where : undefined)),
    viewer: caller,
  };
}

/** The filters of a read of `root` that reaches `types`; undefined if there are none. */
function filtersFor(
  caller: Caller,
  root: ContentType,
  { types, kind }: { readonly types: readonly ContentType[]; readonly kind: ReadKind },
): RuleFilters | undefined {
  const rules = findingRules(caller, types);
  const ofRoot = readRuleOf(caller, root, kind)?.where;
  const hasSome = ofRoot !== undefined || Object.keys({ ...rules.ofType, ...rules.ofDrafts }).length > 0;
  return hasSome ? { ...rules, ofRoot: ofRoot ?? {} } : undefined;
}

/** What a read needs of the rules, for each set of permissions. Callers without rules have nothing to wait for. */
export function narrowByRules(types: ContentTypes, valuesOf: RuleValues): Narrow {
  const known = new WeakMap<Permissions, Map<string, RuleNarrowing | undefined>>();

  function narrowingOf(type: ContentType, { caller, query }: EntryRequest, kind: ReadKind): RuleNarrowing | undefined {
    const own = known.get(caller.permissions) ?? new Map<string, RuleNarrowing | undefined>();
    known.set(caller.permissions, own);
    // A query without parameters reaches only its own type.
    const isAlone = query.shape === '' && type.uid !== 'file';
    const key = `${type.uid} ${kind} ${isAlone}`;
    if (!own.has(key)) {
      const uids = isAlone ? [type.uid] : typesReachedFrom(types, type.uid, caller);
      const reached = [...uids].flatMap((uid) => types.types[uid] ?? []);
      const filters = filtersFor(caller, type, { types: reached, kind });
      own.set(key, filters && ruleNarrowing(filters));
    }
    return own.get(key);
  }

  return (type, request, kind) => {
    const { caller, query } = request;
    if (!caller.permissions.rules) return request;
    const narrowing = narrowingOf(type, request, kind);
    if (!narrowing) return request;
    const values = valuesOf(caller);
    if (typeof values === 'function') return { ...request, query: narrowing.narrow(query, values) };
    return values.then((valueOf) => ({ ...request, query: narrowing.narrow(query, valueOf) }));
  };
}
