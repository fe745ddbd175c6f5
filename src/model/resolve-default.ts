/** The default of an attribute: of its type, within its own rules, and in the form in which such values are stored. */
import { compareDecimals } from '#contract/values/decimal.ts';
import { reportError } from '../diagnostics/report.ts';
import type { Report } from '../diagnostics/report.ts';
import { named, quoted } from '../diagnostics/visible-text.ts';
import type { JsonValue, ScalarDefinition, WrittenDefault } from '../schema/definition.ts';
import type { ScalarType } from '../schema/keywords.ts';
import { canonicalDate, canonicalInstant, canonicalTime } from './calendar.ts';
import { canonicalBound } from './resolve-range.ts';
import type { Bound } from './resolve-range.ts';

/** The rules of the attribute as they were resolved. */
export interface DefaultRules {
  readonly min: Bound | undefined;
  readonly max: Bound | undefined;
  /** Safe to try. */
  readonly regex: string | undefined;
}

/** A password that everybody knows protects nothing: it has no default. */
type TypedDefinition = ScalarDefinition & { readonly type: Exclude<ScalarType, 'password'> };

function hasDefault(definition: ScalarDefinition): definition is TypedDefinition {
  return definition.type !== 'password';
}

/** The value, or what was expected instead. */
type Checked = { readonly value: JsonValue } | { readonly expected: string };

const emailPattern = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u;

function checkText(definition: ScalarDefinition, { regex }: DefaultRules, value: JsonValue): Checked {
  if (typeof value !== 'string') return { expected: 'a text' };
  const length = [...value].length;
  const { minLength, maxLength } = definition;
  if (minLength !== undefined && length < minLength.value)
    return { expected: `at least ${minLength.value} characters` };
  if (maxLength !== undefined && length > maxLength.value) return { expected: `at most ${maxLength.value} characters` };
  if (regex !== undefined && !new RegExp(regex, 'u').test(value)) return { expected: `a text that matches ${regex}` };
  if (definition.type === 'email' && !emailPattern.test(value)) return { expected: 'an e-mail address' };
  if (definition.type === 'uid' && !/^[\w.~-]*$/.test(value))
    return { expected: 'letters A to Z, digits and - _ . ~ only' };
  return { value };
}

function isBelow(a: Bound, b: Bound): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : compareDecimals(String(a), String(b)) < 0;
}

function checkNumber(definition: ScalarDefinition, { min, max }: DefaultRules, written: WrittenDefault): Checked {
  const { value, text } = written;
  const spelling = text ?? (typeof value === 'string' ? value : '');
  const isExact = definition.type === 'biginteger' || definition.type === 'decimal';
  const bound = isExact || text !== undefined ? canonicalBound(definition.type, spelling) : undefined;
  if (bound === undefined || 'expected' in bound) return { expected: bound?.expected ?? 'a number without quotes' };
  if (min !== undefined && isBelow(bound.value, min)) return { expected: `${min} or more` };
  if (max !== undefined && isBelow(max, bound.value)) return { expected: `${max} or less` };
  return bound;
}

function checkForm(value: JsonValue, form: (text: string) => string | undefined, expected: string): Checked {
  const canonical = typeof value === 'string' ? form(value) : undefined;
  return canonical === undefined ? { expected } : { value: canonical };
}

function isBlock(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function check(definition: TypedDefinition, rules: DefaultRules, written: WrittenDefault): Checked {
  const { value } = written;
  switch (definition.type) {
    case 'string':
    case 'text':
    case 'richtext':
    case 'email':
    case 'uid':
      return checkText(definition, rules, value);
    case 'integer':
    case 'biginteger':
    case 'float':
    case 'decimal':
      return checkNumber(definition, rules, written);
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { expected: '`true` or `false`, without quotes' };
    case 'enumeration': {
      const isMember = definition.enum.some((member) => member.value === value);
      return isMember ? { value } : { expected: `one of ${definition.enum.map((member) => member.value).join(', ')}` };
    }
    case 'date':
      return checkForm(value, canonicalDate, 'a date such as "2020-01-31"');
    case 'time':
      return checkForm(value, canonicalTime, 'a time such as "12:30:00"');
    case 'datetime':
    case 'timestamp':
      return checkForm(value, canonicalInstant, 'an instant such as "2020-01-31T12:30:00Z"');
    case 'blocks':
      return Array.isArray(value) && value.every(isBlock)
        ? { value }
        : { expected: 'a list of maps with a `type` each' };
    case 'json':
      return { value };
  }
}

function quotedNumberHint({ type }: ScalarDefinition, value: JsonValue): string | undefined {
  if (type !== 'integer' && type !== 'float') return undefined;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? `write default: ${value}` : undefined;
}

function shown(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'a map') : String(value);
}

/** The checked default of `definition`; a wrong one is reported. */
export function resolveDefault(
  report: Report,
  definition: ScalarDefinition,
  rules: DefaultRules,
): JsonValue | undefined {
  const { default: written } = definition;
  if (written === undefined) return undefined;
  const code = 'attribute/default';
  const name = named(definition.name);
  if (!hasDefault(definition)) {
    const message = `${name} can't have a default: a password that everybody knows protects nothing`;
    return reportError(report, { code, message, location: written.location });
  }
  const checked = check(definition, rules, written);
  if ('value' in checked) return checked.value;
  const found = written.text ?? shown(written.value);
  return reportError(report, {
    code,
    message: `the default of ${name} is not valid: expected ${checked.expected}, found ${found}`,
    location: written.location,
    hint: quotedNumberHint(definition, written.value),
  });
}
