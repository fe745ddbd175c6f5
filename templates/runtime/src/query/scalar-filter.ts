/** Conditions on a scalar attribute: its operators and the casts of their values. */
import { attributeType, castScalar, type ScalarType } from '../contract/attribute-types/scalar-type.ts';
import {
  type Comparison,
  type ConditionForm,
  isPresence,
  operatorNamed,
  OPERATORS,
  type TextMatch,
} from '../contract/operators.ts';
import { type CastResult, err } from '../contract/values/cast-result.ts';
import { castText } from '../contract/values/cast-text.ts';
import { type Cast, constant, type Operand } from './bindings.ts';
import { negate } from './filter-tree.ts';
import { invalidValue, pathOf, unknownWord } from './invalid-parameter.ts';
import { isQueryArray, isQueryObject, parseFlag, type QueryValue, Slot, textOf } from './query-value.ts';
import type { QueryContext } from './query-context.ts';
import type { ReadableScalar } from './readable-attributes.ts';
import type { Filter } from './read-query.ts';

/** Maximum length of a string that is compared ignoring case, in characters. */
const MAX_FOLDED = 1000;

/** Whether text operators apply to this type. */
export function isTextType(type: ScalarType): boolean {
  return attributeType(type).operators === 'text';
}

/** The attribute of a condition, and where it stands in the query. */
interface Target {
  readonly field: ReadableScalar;
  readonly context: QueryContext;
  /** The path of the parameter. */
  readonly path: string;
}

/**
 * The operand for a value. If the value is a slot, each query of the shape casts its own. Throws BadRequestError if it can't be
 * cast.
 */
export function operandOf<T>(
  value: QueryValue,
  cast: Cast<T>,
  { context: { bindings }, path }: Pick<Target, 'context' | 'path'>,
): Operand<T> {
  const isBound = value instanceof Slot && bindings !== undefined;
  const result = cast(isBound ? value.value : textOf(value, path));
  if (!result.ok) throw invalidValue(path, result.message);
  return isBound ? bindings.add(value, cast) : constant(result.value);
}

/** The operand for a value of the attribute's type; undefined for an empty string, unless the type is a text type. */
function scalarOperand(value: QueryValue, target: Target): Operand | undefined {
  const { type } = target.field;
  if (value === '' && !isTextType(type)) return undefined;
  return operandOf(value, (text) => castScalar(type, text), target);
}

function compare(comparison: Comparison, value: QueryValue, target: Target): Filter {
  const operand = scalarOperand(value, target);
  return operand === undefined
    ? { kind: 'nothing' }
    : { kind: 'compare', field: target.field, comparison, value: operand };
}

function oneOf(value: QueryValue, target: Target): Filter {
  const elements = isQueryArray(value) ? value : [value];
  const values = elements.map((element) => scalarOperand(element, target)).filter((element) => element !== undefined);
  return { kind: 'in', field: target.field, values };
}

function between(value: QueryValue, target: Target): Filter {
  const [low, high, ...more] = isQueryArray(value) ? value : [];
  if (low === undefined || high === undefined || more.length > 0) {
    throw invalidValue(target.path, '$between needs two values');
  }
  return { kind: 'and', filters: [compare('>=', low, target), compare('<=', high, target)] };
}

function castFolded(text: string): CastResult<string> {
  const result = castText(text);
  if (!result.ok || result.value.length <= MAX_FOLDED) return result;
  return err(`must be at most ${MAX_FOLDED} characters`);
}

/** The operand for a string to search for. */
export function searchedText(
  value: QueryValue,
  fold: boolean,
  target: Pick<Target, 'context' | 'path'>,
): Operand<string> {
  return operandOf(value, fold ? castFolded : castText, target);
}

function matches(match: TextMatch, fold: boolean, value: QueryValue, target: Target): Filter {
  const { context, field, path } = target;
  if (match === 'equals' && !isTextType(field.type)) return compare('=', value, target);
  if (attributeType(field.type).operators === 'compared') {
    throw invalidValue(path, `a ${field.type} can't be searched as text`);
  }
  const isSearch = match === 'contains' || match === 'endsWith';
  if (context.answersWrite && context.path !== '' && isSearch && attributeType(field.type).isLong) {
    throw invalidValue(path, `a ${field.type} can't be searched in the response to a write: read the entry afterwards`);
  }
  return { kind: 'text', field, match, fold, value: searchedText(value, fold, target) };
}

/** Every value means true, except the spellings of false and the empty string. */
function isNull(value: QueryValue, path: string): boolean {
  const text = textOf(value, path);
  return parseFlag(text) ?? text !== '';
}

/** The filter of a condition, before it is negated. */
function conditionFilter(condition: ConditionForm, value: QueryValue, target: Target): Filter {
  switch (condition.kind) {
    case 'compare':
      return compare(condition.comparison, value, target);
    case 'in':
      return oneOf(value, target);
    case 'between':
      return between(value, target);
    case 'null': {
      const filter: Filter = { kind: 'null', field: target.field };
      return isNull(value, target.path) ? filter : negate(filter);
    }
    case 'text':
      return matches(condition.match, condition.fold, value, target);
  }
}

function applyOperator({ field, context, path }: Target, name: string, value: QueryValue, at = path): Filter {
  if (name === '$not') return negate(parseScalarFilter(field, value, context, at));
  const operator = operatorNamed(name);
  if (!operator) throw unknownWord(at, name, [...Object.keys(OPERATORS), '$not']);
  if (attributeType(field.type).operators === 'presence' && !isPresence(name)) {
    throw invalidValue(at, `only $null and $notNull can be used with ${field.type}`);
  }
  context.budget.condition(operator.weight);
  const filter = conditionFilter(operator.condition, value, { field, context, path: at });
  return operator.negated ? negate(filter) : filter;
}

/**
 * Parses the condition on a scalar attribute: a bare value means `$eq`, an array `$in`; the operators in an object must all hold.
 * `path` is the parameter's. Throws BadRequestError for an unknown operator and for a value that can't be cast.
 */
export function parseScalarFilter(
  field: ReadableScalar,
  value: QueryValue,
  context: QueryContext,
  path: string,
): Filter {
  const target = { field, context, path };
  if (!isQueryObject(value)) return applyOperator(target, isQueryArray(value) ? '$in' : '$eq', value);
  const filters = Object.entries(value).map(([name, operand]) =>
    applyOperator(target, name, operand, pathOf(path, name)),
  );
  return filters.length === 1 && filters[0] ? filters[0] : { kind: 'and', filters };
}
