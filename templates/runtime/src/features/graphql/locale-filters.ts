/** Filters of locales, which have no table. */
import { isObject } from '../../content/relations/entry-ref.ts';
import { asText } from './shape.ts';

type Conditions = Readonly<Record<string, unknown>>;

function texts(operand: unknown): readonly string[] {
  return (Array.isArray(operand) ? operand : [operand]).map((one) => asText(one));
}

const TESTS: Readonly<Record<string, (value: string, operand: unknown) => boolean>> = {
  $eq: (value, operand) => value === operand,
  $ne: (value, operand) => value !== operand,
  $eqi: (value, operand) => value.toLowerCase() === asText(operand).toLowerCase(),
  $nei: (value, operand) => value.toLowerCase() !== asText(operand).toLowerCase(),
  $in: (value, operand) => texts(operand).includes(value),
  $notIn: (value, operand) => !texts(operand).includes(value),
  $contains: (value, operand) => value.includes(asText(operand)),
  $containsi: (value, operand) => value.toLowerCase().includes(asText(operand).toLowerCase()),
  $startsWith: (value, operand) => value.startsWith(asText(operand)),
  $endsWith: (value, operand) => value.endsWith(asText(operand)),
  $null: (_value, operand) => operand === false,
  $notNull: (_value, operand) => operand !== false,
};

/** Whether a locale meets all conditions. Those with operators that locales don't have are not met. */
export function matches(locale: Conditions, filters: Conditions): boolean {
  return Object.entries(filters).every(([name, condition]) => {
    if (name === '$and') return (condition as readonly Conditions[]).every((inner) => matches(locale, inner));
    if (name === '$or') return (condition as readonly Conditions[]).some((inner) => matches(locale, inner));
    if (name === '$not') return !matches(locale, condition as Conditions);
    if (!isObject(condition)) return false;
    const value = asText(locale[name]);
    return Object.entries(condition).every(([operator, operand]) => TESTS[operator]?.(value, operand) ?? false);
  });
}
