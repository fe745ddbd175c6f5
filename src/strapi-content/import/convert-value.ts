/** Converts a scalar value of an archive, and checks it. */
import { type AttributeType, type Canonical, MAX_SHORT_LENGTH } from '#contract/attribute-types/attribute-type.ts';
import { attributeType } from '#contract/attribute-types/scalar-type.ts';
import { type ValueRule, valueRules } from '#contract/attribute-types/value-rules.ts';
import type { ScalarAttribute } from '#contract/content-type.ts';
import { lengthOf } from '#contract/values/cast-text.ts';
import type { Members } from '../../strapi/records.ts';

/** A value in canonical form, or why the database can't hold it: `problem` completes a sentence, as in `must be …`. */
export type Converted = { readonly value: Canonical } | { readonly problem: string };

const MILLISECONDS = /^-?\d{1,16}$/u;

/** Repairs values that Strapi stored with another type, such as numbers as text, because the attribute's type was changed later. */
function repaired(value: unknown, type: AttributeType, sourceType: unknown): unknown {
  if (sourceType === 'timestamp' && MILLISECONDS.test(String(value))) {
    const time = new Date(Number(value));
    return Number.isNaN(time.getTime()) ? value : time.toISOString();
  }
  if (type.columnType === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if (type.columnType === 'boolean' && (value === 0 || value === 1)) return value === 1;
  return value;
}

/** Whether the column of an attribute holds a limited number of characters. */
function isShort({ type, unique, indexed }: ScalarAttribute): boolean {
  const { columnType, isShort: short } = attributeType(type);
  return columnType === 'text' && (short === true || unique === true || indexed === true || type === 'uid');
}

/** Converts a value that is not null. */
export function convertValue(attribute: ScalarAttribute, source: Members | undefined, value: unknown): Converted {
  const type = attributeType(attribute.type);
  const result = type.cast(repaired(value, type, source?.['type']));
  if (!result.ok) return { problem: result.message };
  if (typeof result.value === 'string' && isShort(attribute) && lengthOf(result.value) > MAX_SHORT_LENGTH) {
    return { problem: `must be at most ${MAX_SHORT_LENGTH} characters` };
  }
  return { value: result.value };
}

const rulesOf = new WeakMap<ScalarAttribute, readonly ValueRule[]>();

/** The message of the rule that a request with this value would violate; undefined if it is valid. */
export function violatedRule(attribute: ScalarAttribute, value: Canonical, isDraft: boolean): string | undefined {
  const type = attributeType(attribute.type);
  // Rules apply to passwords, but the archive only has hashes.
  if (type.isSecret === true) return undefined;
  const rules = rulesOf.get(attribute) ?? valueRules(type, attribute);
  rulesOf.set(attribute, rules);
  for (const rule of rules) {
    const problem = rule(value, isDraft);
    if (problem !== undefined) return problem;
  }
  const [issue] = type.problems?.(value, []) ?? [];
  return issue?.message;
}

/** Whether values must be unique among entries. */
export function isUnique({ type, unique }: ScalarAttribute): boolean {
  const { canBeUnique, columnType } = attributeType(type);
  return type === 'uid' || (unique === true && canBeUnique && columnType !== 'boolean');
}
