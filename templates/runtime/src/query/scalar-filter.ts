/** Conditions on one scalar attribute: its operators and the cast of their values. */
import { attributeType, castScalar, type ScalarType } from '../contract/attribute-types/scalar-type.ts';
import { CONDITION } from '../contract/limits.ts';
import { castText } from '../contract/values/cast-text.ts';
import { negate } from './filter-tree.ts';
import { invalidValue, pathOf, unknownWord } from './invalid-parameter.ts';
import { isQueryArray, isQueryObject, parseFlag, textOf } from './query-value.ts';
import type { QueryValue } from './query-value.ts';
import type { QueryContext } from './query-context.ts';
import type { ReadableScalar } from './readable-attributes.ts';
import type { Comparison, Filter, TextMatch } from './read-query.ts';

/** Characters of a text that is compared without regard to case. */
const MAX_FOLDED = 1000;

/** Whether text searches concern an attribute of this type. */
export function isTextType(type: ScalarType): boolean {
  return attributeType(type).operators === 'text';
}

/** A canonical value, or undefined for an empty text that stands for no value of this type. Throws BadRequestError. */
function castValue(field: ReadableScalar, value: QueryValue, path: string): unknown {
  const text = textOf(value, path);
  if (text === '' && !isTextType(field.type)) {
    return undefined;
  }
  const result = castScalar(field.type, text);
  if (!result.ok) {
    throw invalidValue(path, result.message);
  }
  return result.value;
}

function compare(field: ReadableScalar, comparison: Comparison, value: QueryValue, path: string): Filter {
  const cast = castValue(field, value, path);
  return cast === undefined ? { kind: 'nothing' } : { kind: 'compare', field, comparison, value: cast };
}

function oneOf(field: ReadableScalar, value: QueryValue, path: string): Filter {
  const elements = isQueryArray(value) ? value : [value];
  const values = elements.map((element) => castValue(field, element, path)).filter((element) => element !== undefined);
  return { kind: 'in', field, values };
}

function between(field: ReadableScalar, value: QueryValue, path: string): Filter {
  const [low, high, ...more] = isQueryArray(value) ? value : [];
  if (low === undefined || high === undefined || more.length > 0) {
    throw invalidValue(path, '$between needs two values');
  }
  return { kind: 'and', filters: [compare(field, '>=', low, path), compare(field, '<=', high, path)] };
}

/** `true` by default: only spellings of false, and the empty text, are false. */
function isNull(value: QueryValue, path: string): boolean {
  const text = textOf(value, path);
  return parseFlag(text) ?? text !== '';
}

function matches(
  field: ReadableScalar,
  { match, fold }: { readonly match: TextMatch; readonly fold: boolean },
  value: QueryValue,
  path: string,
): Filter {
  if (match === 'equals' && !isTextType(field.type)) {
    return compare(field, '=', value, path);
  }
  if (attributeType(field.type).operators === 'compared') {
    throw invalidValue(path, `a ${field.type} is not searched as text`);
  }
  const result = castText(textOf(value, path));
  if (!result.ok) {
    throw invalidValue(path, result.message);
  }
  const text = result.value;
  if (fold && text.length > MAX_FOLDED) {
    throw invalidValue(path, `must be at most ${MAX_FOLDED} characters`);
  }
  return { kind: 'text', field, match, fold, value: text };
}

/** What an operator makes of its operand, and what that weighs. */
interface Operator {
  readonly weight: number;
  /** `path` is that of the parameter. */
  apply(field: ReadableScalar, value: QueryValue, path: string): Filter;
}

function simple(apply: Operator['apply']): Operator {
  return { weight: CONDITION.comparison, apply };
}

function not({ weight, apply }: Operator): Operator {
  return { weight, apply: (field, value, path) => negate(apply(field, value, path)) };
}

function comparing(comparison: Comparison): Operator {
  return simple((field, value, path) => compare(field, comparison, value, path));
}

function searching(match: TextMatch, fold: boolean): Operator {
  return {
    weight: fold ? CONDITION.foldedSearch : CONDITION.search,
    apply: (field, value, path) => matches(field, { match, fold }, value, path),
  };
}

function nullness(negated: boolean): Operator {
  return simple((field, value, path) => {
    const filter: Filter = { kind: 'null', field };
    return isNull(value, path) === negated ? negate(filter) : filter;
  });
}

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['$eq', comparing('=')],
  ['$ne', comparing('<>')],
  ['$lt', comparing('<')],
  ['$lte', comparing('<=')],
  ['$gt', comparing('>')],
  ['$gte', comparing('>=')],
  ['$in', simple(oneOf)],
  ['$notIn', not(simple(oneOf))],
  ['$between', simple(between)],
  ['$null', nullness(false)],
  ['$notNull', nullness(true)],
  ['$eqi', searching('equals', true)],
  ['$nei', not(searching('equals', true))],
  ['$contains', searching('contains', false)],
  ['$containsi', searching('contains', true)],
  ['$notContains', not(searching('contains', false))],
  ['$notContainsi', not(searching('contains', true))],
  ['$startsWith', searching('startsWith', false)],
  ['$startsWithi', searching('startsWith', true)],
  ['$endsWith', searching('endsWith', false)],
  ['$endsWithi', searching('endsWith', true)],
]);

/** Of what can't be compared on every engine. */
const PRESENCE_OPERATORS: ReadonlySet<string> = new Set(['$null', '$notNull']);

interface Named {
  readonly field: ReadableScalar;
  readonly context: QueryContext;
  readonly path: string;
}

function applyOperator({ field, context, path }: Named, name: string, value: QueryValue, at = path): Filter {
  if (name === '$not') return negate(parseScalarFilter(field, value, context, at));
  const operator = OPERATORS.get(name);
  if (!operator) throw unknownWord(at, name, [...OPERATORS.keys(), '$not']);
  if (attributeType(field.type).operators === 'presence' && !PRESENCE_OPERATORS.has(name)) {
    throw invalidValue(at, `of ${field.type} there are only $null and $notNull`);
  }
  context.budget.condition(operator.weight);
  return operator.apply(field, value, at);
}

/**
 * The condition on one scalar attribute: a bare value is `$eq`, an array `$in`, an object holds operators that all must
 * hold. `path` is that of the parameter. Throws BadRequestError for an unknown operator and for a value that can't be cast.
 */
export function parseScalarFilter(
  field: ReadableScalar,
  value: QueryValue,
  context: QueryContext,
  path: string,
): Filter {
  const named = { field, context, path };
  if (!isQueryObject(value)) return applyOperator(named, isQueryArray(value) ? '$in' : '$eq', value);
  const filters = Object.entries(value).map(([name, operand]) =>
    applyOperator(named, name, operand, pathOf(path, name)),
  );
  return filters.length === 1 && filters[0] ? filters[0] : { kind: 'and', filters };
}
