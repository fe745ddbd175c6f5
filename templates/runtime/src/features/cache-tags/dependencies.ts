/** What an answer depends on, by the path and the query of its request. */
import type { Attribute, ContentType, ContentTypes } from '../../contract/content-type.ts';
import { type Caller, findsFilesByUse, ruleOf } from '../../contract/policy/caller.ts';
import type { RuleFilter } from '../../contract/policy/rule.ts';
import { variablesIn } from '../../query/rules/rule-filter.ts';

/** The names of attributes that a query or a rule may follow; undefined for all. */
function namesIn(texts: readonly string[]): ReadonlySet<string> | undefined {
  const text = texts.join(' ');
  return text.includes('*') || text.includes('deep') ? undefined : new Set(text.match(/\w+/gu) ?? []);
}

function targetsOf(types: ContentTypes, attribute: Attribute): readonly string[] {
  switch (attribute.type) {
    case 'media':
      return ['file'];
    case 'relation': {
      const { target, storage } = attribute;
      if (target !== undefined) return [target];
      return storage.kind === 'morph' ? Object.keys(storage.targets) : Object.keys(types.types);
    }
    default:
      return [];
  }
}

/** The rules by which the caller finds entries of these types. */
function rulesOf(caller: Caller, uids: Iterable<string>): readonly RuleFilter[] {
  return [...uids].flatMap((uid) =>
    (['find', 'findOne', 'preview'] as const).flatMap((action) => {
      const where = ruleOf(caller, action, uid)?.where;
      return where ? [where] : [];
    }),
  );
}

/** The types that are reached from one through attributes with these names. */
function reachedBy(types: ContentTypes, uid: string, names: ReadonlySet<string> | undefined): ReadonlySet<string> {
  const reached = new Set([uid]);
  const components = new Set<string>();
  const follow = (attributes: Readonly<Record<string, Attribute>>): void => {
    for (const [name, attribute] of Object.entries(attributes)) {
      if (names && !names.has(name)) continue;
      for (const target of targetsOf(types, attribute)) reached.add(target);
      if (attribute.type === 'component') components.add(attribute.component);
      if (attribute.type === 'dynamiczone') for (const one of attribute.components) components.add(one);
    }
  };
  for (const each of reached) {
    follow(types.types[each]?.attributes ?? {});
    for (const component of components) follow(types.components[component]?.attributes ?? {});
  }
  return reached;
}

/** The types that the answer may show or was chosen by; undefined if it depends on something else, such as the time. */
export function reachedTypes(
  types: ContentTypes,
  caller: Caller,
  { type, query }: { readonly type: ContentType; readonly query: string },
): ReadonlySet<string> | undefined {
  const all = Object.keys(types.types);
  const rules = rulesOf(caller, all);
  if (rules.some((rule) => variablesIn(rule).length > 0)) return undefined;
  if (findsFilesByUse(caller)) return new Set(all);
  return reachedBy(types, type.uid, namesIn([query, JSON.stringify(rules)]));
}
