/** Validates form values against the schema. The server reports what only it can check, such as `unique`. */
import { textOf } from '../model/text-of.ts';
import type { Attribute, AttributeRules } from '../model/model.ts';

/** A translation key with its arguments. */
export interface RuleMessage {
  readonly message: string;
  readonly args: Readonly<Record<string, unknown>>;
}

type Rule = (value: unknown, rules: AttributeRules) => RuleMessage | undefined;

function broken(rule: string, args: Readonly<Record<string, unknown>> = {}): RuleMessage {
  return { message: `rules.${rule}`, args };
}

/** Counts code points rather than UTF-16 code units. */
export function lengthOf(text: string): number {
  return [...text].length;
}

const TEXT_RULES: readonly Rule[] = [
  (value, { minLength }) =>
    typeof value === 'string' && minLength !== undefined && lengthOf(value) < minLength
      ? broken('minLength', { min: minLength })
      : undefined,
  (value, { maxLength }) =>
    typeof value === 'string' && maxLength !== undefined && lengthOf(value) > maxLength
      ? broken('maxLength', { max: maxLength })
      : undefined,
  (value, { regex }) =>
    typeof value === 'string' && regex !== undefined && !new RegExp(regex, 'u').test(value)
      ? broken('regex', { regex })
      : undefined,
];

const NUMBER_RULES: readonly Rule[] = [
  (value) => (value !== null && Number.isNaN(Number(value)) ? broken('number') : undefined),
  (value, { min }) =>
    value !== null && min !== undefined && Number(value) < Number(min) ? broken('min', { min }) : undefined,
  (value, { max }) =>
    value !== null && max !== undefined && Number(value) > Number(max) ? broken('max', { max }) : undefined,
];

const INTEGER: Rule = (value) => (value !== null && !/^-?\d+$/u.test(textOf(value)) ? broken('integer') : undefined);

const EMAIL: Rule = (value) =>
  typeof value === 'string' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/u.test(value) ? broken('email') : undefined;

/** `min` and `max` of repeatable components and zones count items. */
const ITEM_RULES: readonly Rule[] = [
  (value, { min }) =>
    Array.isArray(value) && min !== undefined && value.length < Number(min) ? broken('minItems', { min }) : undefined,
  (value, { max }) =>
    Array.isArray(value) && max !== undefined && value.length > Number(max) ? broken('maxItems', { max }) : undefined,
];

function rulesOf({ type }: Attribute): readonly Rule[] {
  switch (type) {
    case 'string':
    case 'text':
    case 'richtext':
    case 'uid':
    case 'password':
      return TEXT_RULES;
    case 'email':
      return [...TEXT_RULES, EMAIL];
    case 'integer':
    case 'biginteger':
      return [INTEGER, ...NUMBER_RULES];
    case 'float':
    case 'decimal':
      return NUMBER_RULES;
    case 'component':
    case 'dynamiczone':
      return ITEM_RULES;
    default:
      return [];
  }
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The first rule that a value breaks. `undefined` is always valid: the value was not loaded, such as a password, and stays unchanged. */
export function brokenRule(value: unknown, attribute: Attribute, isDraft: boolean): RuleMessage | undefined {
  if (value === undefined) return undefined;
  if (isEmpty(value)) {
    // The server generates a required uid if it is empty.
    return attribute.required === true && !isDraft && attribute.type !== 'uid' ? broken('required') : undefined;
  }
  for (const rule of rulesOf(attribute)) {
    const message = rule(value, attribute);
    if (message) return message;
  }
  return undefined;
}
