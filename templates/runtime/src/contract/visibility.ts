/** Attributes that depend on others: they take a value, and are required, only while a condition on their siblings holds. */
import type { ScalarType } from './attribute-types/scalar-type.ts';

/** A value that a condition compares; null stands for no value. */
export type ConditionValue = string | number | boolean | null;

/** The types of attributes on which conditions can depend, and the JavaScript type of their values. */
export const COMPARED_TYPES: Readonly<Partial<Record<ScalarType, 'string' | 'number' | 'boolean'>>> = {
  string: 'string',
  text: 'string',
  email: 'string',
  uid: 'string',
  enumeration: 'string',
  integer: 'number',
  boolean: 'boolean',
};

/** Attribute → the values, one of which it must have. All attributes must match. */
export type Match = Readonly<Record<string, readonly ConditionValue[]>>;

/** The condition under which an attribute is visible: `when` matches, and `unless` does not. */
export interface Visibility {
  readonly when?: Match;
  readonly unless?: Match;
  /** Whether a value is required while it is visible. */
  readonly required?: true;
}

/** The attributes on which a condition depends. */
export function conditionNames({ when = {}, unless = {} }: Visibility): readonly string[] {
  return [...new Set([...Object.keys(when), ...Object.keys(unless)])];
}

function matches(match: Match, valueOf: (name: string) => unknown): boolean {
  return Object.entries(match).every(([name, values]) => values.some((value) => value === (valueOf(name) ?? null)));
}

/** Whether the condition holds for these values of the siblings. */
export function holds({ when, unless }: Visibility, valueOf: (name: string) => unknown): boolean {
  return (!when || matches(when, valueOf)) && !(unless && matches(unless, valueOf));
}

function listed(match: Match): string {
  const parts = Object.entries(match).map(([name, values]) => {
    const texts = values.map((value) => (value === null ? 'empty' : String(value)));
    return `${name} is ${texts.join(' or ')}`;
  });
  return parts.join(' and ');
}

/** The condition in words: `type is external`. */
export function describeCondition({ when, unless }: Visibility): string {
  return [...(when ? [listed(when)] : []), ...(unless ? [`not ${listed(unless)}`] : [])].join(', and ');
}

/**
 * Whether an attribute is visible among these attributes. An attribute that is not visible itself counts as empty for the conditions
 * of others. Conditions have no cycles.
 */
export function isVisible(
  attributes: Readonly<Record<string, { readonly visible?: Visibility }>>,
  name: string,
  valueOf: (name: string) => unknown,
): boolean {
  const visible = Object.hasOwn(attributes, name) ? attributes[name]?.visible : undefined;
  if (!visible) return true;
  return holds(visible, (sibling) => (isVisible(attributes, sibling, valueOf) ? valueOf(sibling) : null));
}
