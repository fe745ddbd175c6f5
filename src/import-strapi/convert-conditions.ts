/** `conditions` of Strapi attributes, in JSON logic, as `visible`. */
import { isDeepStrictEqual } from 'node:util';
import { COMPARED_TYPES, type ConditionValue } from '#contract/visibility.ts';
import type { Json } from './draft.ts';
import type { Subject } from './convert-context.ts';
import { member } from './strapi-project.ts';

/** One comparison: the attribute has one of the values, or has none of them. */
interface Comparison {
  readonly key: 'when' | 'unless';
  readonly name: string;
  readonly values: readonly ConditionValue[];
}

/** Its only operator and the arguments; undefined if it is no such expression. */
function operation(logic: unknown): readonly [string, readonly unknown[]] | undefined {
  if (typeof logic !== 'object' || logic === null || Array.isArray(logic)) return undefined;
  const [[operator, given] = ['', undefined], ...others] = Object.entries(logic);
  if (others.length > 0) return undefined;
  return [operator, Array.isArray(given) ? given : [given]];
}

function isValue(value: unknown): value is ConditionValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function comparison(logic: unknown): Comparison | undefined {
  const [operator, [left, right, ...others]] = operation(logic) ?? ['', []];
  const [key, [name, ...defaults]] = operation(left) ?? ['', []];
  if (key !== 'var' || typeof name !== 'string' || defaults.length > 0 || others.length > 0) return undefined;
  if (operator === 'in' && Array.isArray(right) && right.every(isValue)) return { key: 'when', name, values: right };
  if (!isValue(right) || right === undefined) return undefined;
  if (operator === '==' || operator === '===') return { key: 'when', name, values: [right] };
  return operator === '!=' || operator === '!==' ? { key: 'unless', name, values: [right] } : undefined;
}

/** Comparisons that must all hold; undefined if the expression says something else. */
function conjuncts(logic: unknown): readonly Comparison[] | undefined {
  const [operator, parts] = operation(logic) ?? ['', []];
  if (operator === 'and') {
    const all = parts.map(conjuncts);
    return all.every((part) => part !== undefined) ? all.flat() : undefined;
  }
  if (operator === 'or') {
    const all = parts.map(comparison);
    const [first] = all;
    const isOne = all.every((one) => one?.key === 'when' && one.name === first?.name);
    if (!first || !isOne) return undefined;
    return [{ ...first, values: all.flatMap((one) => one?.values ?? []) }];
  }
  const found = comparison(logic);
  return found && [found];
}

/** Joins the comparisons: several with the same attribute hold together only if both say `unless`. */
function joined(all: readonly Comparison[]): Readonly<Record<string, Json>> | undefined {
  const unless = all.filter(({ key }) => key === 'unless');
  const names = all.filter(({ key }) => key === 'when').map(({ name }) => name);
  if (new Set(names).size < names.length || new Set(unless.map(({ name }) => name)).size > 1) return undefined;
  const value = (values: readonly ConditionValue[]): Json => (values.length === 1 ? (values[0] ?? null) : [...values]);
  const when = all.filter(({ key }) => key === 'when').map(({ name, values }) => [name, value(values)] as const);
  const [first] = unless;
  return {
    ...(when.length > 0 ? { when: Object.fromEntries(when) } : {}),
    ...(first ? { unless: { [first.name]: value(unless.flatMap(({ values }) => values)) } } : {}),
  };
}

/** Whether the attribute has values of this type; an enumeration this value. */
function isComparable({ owner, name, given }: Subject, { name: other, values }: Comparison): boolean {
  const sibling = owner.attributes.get(other);
  if (sibling?.['private'] === true && given['private'] !== true) return false;
  if (!sibling || other === name) return false;
  const type = (COMPARED_TYPES as Readonly<Record<string, string>>)[String(sibling['type'])];
  const known = Array.isArray(sibling['enum']) ? sibling['enum'].map(String) : undefined;
  if (type === undefined) return false;
  return values.every((value) => value === null || (typeof value === type && (known?.includes(String(value)) ?? true)));
}

/** Whether conditions lead from an attribute to itself. */
function isCircular({ owner, name }: Subject): boolean {
  const next = (of: string): readonly string[] => {
    const logic = member(owner.attributes.get(of)?.['conditions'], 'visible');
    return (conjuncts(logic) ?? []).map((one) => one.name);
  };
  const seen = new Set<string>();
  const open = [...next(name)];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one === name) return true;
    if (!seen.has(one)) open.push(...next(one));
    seen.add(one);
  }
  return false;
}

/**
 * The option `visible`, with the names that `nameOf` gives attributes in the schema; `leftOut` if the attribute has a condition
 * without an equivalent.
 */
export function convertConditions(
  subject: Subject,
  nameOf: (name: string) => string,
): { readonly visible?: Json; readonly leftOut?: string } {
  const { given, ownerKind } = subject;
  const conditions = given['conditions'];
  if (conditions === undefined || conditions === null || isDeepStrictEqual(conditions, {})) return {};
  const logic = member(conditions, 'visible');
  const all = conjuncts(logic);
  const visible =
    all && all.every((one) => isComparable(subject, one))
      ? joined(all.map((one) => ({ ...one, name: nameOf(one.name) })))
      : undefined;
  const isFine = ownerKind !== 'user' && !isCircular(subject);
  if (visible && isFine && Object.keys(conditions).length === 1) return { visible };
  return { leftOut: `conditions: ${JSON.stringify(conditions).slice(0, 200)}` };
}
