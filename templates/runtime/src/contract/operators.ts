/**
 * The operators of conditions on scalar attributes in `filters`, one row each. The parser, openapi.json, the types of filters and the
 * limit of a query's conditions are derived from it.
 */
import { CONDITION_WEIGHT } from './limits.ts';
import type { Operators } from './attribute-types/attribute-type.ts';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** How text is matched. */
export type TextMatch = 'equals' | 'contains' | 'startsWith' | 'endsWith';

/** What an operator is given: a value of the attribute's type, a list of values, two values, a boolean or a text. */
export type OperandKind = 'value' | 'values' | 'range' | 'flag' | 'text';

/** What an operator finds. A form that none has yet also needs a kind of `Filter`, and its SQL. */
export type ConditionForm =
  | { readonly kind: 'compare'; readonly comparison: Comparison }
  | { readonly kind: 'in' | 'between' | 'null' }
  | { readonly kind: 'text'; readonly match: TextMatch; readonly fold: boolean };

export interface Operator<Kind extends OperandKind = OperandKind> {
  readonly operand: Kind;
  readonly condition: ConditionForm;
  /** Whether it finds what the condition doesn't. */
  readonly negated: boolean;
  /** Its part of the limit of all conditions of a query. */
  readonly weight: number;
}

function operator<Kind extends OperandKind>(operand: Kind, condition: ConditionForm): Operator<Kind> {
  const { comparison, search, foldedSearch } = CONDITION_WEIGHT;
  const weight = condition.kind !== 'text' ? comparison : condition.fold ? foldedSearch : search;
  return { operand, condition, negated: false, weight };
}

function not<Kind extends OperandKind>(negated: Operator<Kind>): Operator<Kind> {
  return { ...negated, negated: true };
}

const compare = (comparison: Comparison) => operator('value', { kind: 'compare', comparison });
const text = (match: TextMatch) => operator('text', { kind: 'text', match, fold: false });
const folded = (match: TextMatch) => operator('text', { kind: 'text', match, fold: true });

export const OPERATORS = {
  $eq: compare('='),
  $ne: compare('<>'),
  $lt: compare('<'),
  $lte: compare('<='),
  $gt: compare('>'),
  $gte: compare('>='),
  $in: operator('values', { kind: 'in' }),
  $notIn: not(operator('values', { kind: 'in' })),
  $between: operator('range', { kind: 'between' }),
  $null: operator('flag', { kind: 'null' }),
  $notNull: not(operator('flag', { kind: 'null' })),
  $eqi: folded('equals'),
  $nei: not(folded('equals')),
  $contains: text('contains'),
  $notContains: not(text('contains')),
  $containsi: folded('contains'),
  $notContainsi: not(folded('contains')),
  $startsWith: text('startsWith'),
  $startsWithi: folded('startsWith'),
  $endsWith: text('endsWith'),
  $endsWithi: folded('endsWith'),
} as const;

export type OperatorName = keyof typeof OPERATORS;

/** The operators that are given operands of a kind. */
export type OperatorsOn<Kind extends OperandKind> = {
  [Name in OperatorName]: (typeof OPERATORS)[Name]['operand'] extends Kind ? Name : never;
}[OperatorName];

/** All rows. */
export const OPERATOR_ROWS = Object.entries<Operator>(OPERATORS);

export function operatorNamed(name: string): Operator | undefined {
  return Object.hasOwn(OPERATORS, name) ? OPERATORS[name as OperatorName] : undefined;
}

/** Whether the operator asks if there is a value: it applies to every type, and its operand is compared with nothing. */
export function isPresence(name: string): boolean {
  return operatorNamed(name)?.operand === 'flag';
}

/** Whether attributes with these `operators` may be compared by an operator with this operand. */
export function takesOperand(operators: Operators, operand: OperandKind): boolean {
  if (operand === 'flag') return true;
  return operand === 'text' ? operators === 'text' || operators === 'spelled' : operators !== 'presence';
}
