/** The attributes that a caller's rules permit reading: others can't be told apart from names that don't exist. */
import type { ContentType } from '../../contract/content-type.ts';
import { type Caller, may, ruleOf } from '../../contract/policy/caller.ts';
import type { Rule } from '../../contract/policy/rule.ts';
import type { ReadKind } from '../entry-query.ts';
import type { AllowList, ReadableAttributes } from '../readable-attributes.ts';

/**
 * The rule of reading the entries of a type: behind relations and in lists, or one of them. Whoever has only one of the two actions finds
 * everything by its rule, such as files that entries use.
 */
export function readRuleOf(
  caller: Pick<Caller, 'permissions'>,
  { uid }: ContentType,
  kind: ReadKind,
): Rule | undefined {
  const [action, other] = kind === 'many' ? (['find', 'findOne'] as const) : (['findOne', 'find'] as const);
  return ruleOf(caller, may(caller, action, uid) ? action : other, uid);
}

/** Whether a rule permits an attribute. What every type has, such as `id` and `createdAt`, is left out only by name. */
function permits({ only, except }: Rule, { attributes }: ContentType, name: string): boolean {
  if (name === 'id') return true;
  if (except?.includes(name)) return false;
  return !only || only.includes(name) || !Object.hasOwn(attributes, name);
}

/** Whether the caller's rule of reading permits an attribute. */
export function mayRead(caller: Pick<Caller, 'permissions'>, type: ContentType, kind: ReadKind, name: string): boolean {
  const rule = readRuleOf(caller, type, kind);
  return !rule || permits(rule, type, name);
}

function permitted(attributes: ReadableAttributes, type: ContentType, rule: Rule | undefined): ReadableAttributes {
  if (!rule?.only && !rule?.except) return attributes;
  const entries = [...attributes].filter(([name]) => permits(rule, type, name));
  return Object.assign(new Map(entries), { owner: attributes.owner });
}

function permittedList(whole: AllowList, caller: Caller, kind: ReadKind): AllowList {
  return {
    ...whole,
    ofType: (type, vocabulary) => permitted(whole.ofType(type, vocabulary), type, readRuleOf(caller, type, 'many')),
    ofRoot: (type, vocabulary) => permitted(whole.ofType(type, vocabulary), type, readRuleOf(caller, type, kind)),
  };
}

/** The allow-list of a caller, for a kind of read. */
export function permittedFor(whole: AllowList, caller: Caller, kind: ReadKind): AllowList {
  const rules = Object.values(caller.permissions.rules ?? {});
  return rules.some(({ only, except }) => only ?? except) ? permittedList(whole, caller, kind) : whole;
}
