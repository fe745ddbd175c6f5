/** The conditions of a list that its user has put together: groups, of which one must hold, each with conditions that all must hold. */
import type { QueryObject } from './query-string.ts';

export const OPERATORS = [
  'contains',
  'startsWith',
  'is',
  'isNot',
  'atLeast',
  'atMost',
  'isEmpty',
  'isNotEmpty',
] as const;

export type Operator = (typeof OPERATORS)[number];

export interface Condition {
  /** The name of an attribute, or of a field that every entry has; the path to one in components: `seo.title`, `links[].label`. */
  readonly attribute: string;
  readonly operator: Operator;
  /** Absent for `isEmpty` and `isNotEmpty`. */
  readonly value?: string | number | boolean;
  /** Whether the attribute is a relation or has files: conditions are about the id. */
  readonly isLink?: true;
}

export type ConditionGroups = readonly (readonly Condition[])[];

/** After the name of a component of which an entry has several. */
export const LIST_STEP = '[]';

/** In the filters of a list. Can't clash with attribute names, which begin with a letter. */
export const CONDITIONS_FILTER = '__conditions';

function isCondition(value: unknown): value is Condition {
  const { attribute, operator } = (value ?? {}) as Partial<Record<keyof Condition, unknown>>;
  return typeof attribute === 'string' && OPERATORS.some((one) => one === operator);
}

/** The conditions in the filters of a list, which may come from an address; what is none is left out. */
export function conditionsIn(filter: unknown): ConditionGroups {
  const groups = (filter as Readonly<Record<string, unknown>> | undefined)?.[CONDITIONS_FILTER];
  if (!Array.isArray(groups)) return [];
  return groups
    .map((group: unknown) => (Array.isArray(group) ? group.filter(isCondition) : []))
    .filter((group) => group.length > 0);
}

export function takesValue(operator: Operator): boolean {
  return operator !== 'isEmpty' && operator !== 'isNotEmpty';
}

const NAMES: Readonly<Record<Operator, string>> = {
  contains: '$containsi',
  startsWith: '$startsWithi',
  is: '$eq',
  isNot: '$ne',
  atLeast: '$gte',
  atMost: '$lte',
  isEmpty: '$null',
  isNotEmpty: '$notNull',
};

/** What must be true of none in a list, where the condition is that something is not so. */
const OPPOSITES: Readonly<Partial<Record<Operator, Operator>>> = { isNot: 'is', isEmpty: 'isNotEmpty' };

/** A filter on what a path leads to. */
function nested(steps: readonly string[], inner: QueryObject): QueryObject {
  return steps.reduceRight((filter, step) => ({ [step]: filter }), inner);
}

function filterOf(condition: Condition): QueryObject {
  const { attribute, operator, value, isLink } = condition;
  const steps = attribute.split('.');
  const list = steps.findIndex((step) => step.endsWith(LIST_STEP));
  const opposite = OPPOSITES[operator];
  if (list !== -1 && opposite !== undefined) {
    const within = { ...condition, attribute: steps.slice(list + 1).join('.'), operator: opposite };
    return nested([...steps.slice(0, list), nameOf(steps[list] ?? '')], { $none: filterOf(within) });
  }
  const about = (inner: QueryObject): QueryObject => nested(steps.map(nameOf), isLink ? { id: inner } : inner);
  const own = about({ [NAMES[operator]]: takesValue(operator) ? (value ?? '') : true });
  // Where there is no value, it is another one to a person, but not to a database.
  return operator === 'isNot' ? { $or: [own, about({ $null: true })] } : own;
}

function nameOf(step: string): string {
  return step.endsWith(LIST_STEP) ? step.slice(0, -LIST_STEP.length) : step;
}

/** The filters for conditions; none for no conditions. */
export function conditionsQuery(groups: ConditionGroups): QueryObject {
  if (groups.length === 0) return {};
  return { $or: groups.map((group) => ({ $and: group.map(filterOf) })) };
}
