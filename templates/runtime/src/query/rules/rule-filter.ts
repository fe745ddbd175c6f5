/**
 * From the `where` of a rule to a filter of a query, with slots for its variables.
 *
 * A variable may stand for nothing: a visitor has no `$user`, a user no team. What is compared with nothing is unknown, and an entry
 * is reached only if it certainly may be: the comparison then matches nothing, and neither does its negation.
 */
import { isMap } from '../../contract/policy/rule-form.ts';
import type { JsonValue } from '../../contract/values/json.ts';
import { type RuleFilter, type RuleVariable, variableOf } from '../../contract/policy/rule.ts';
import type { QueryObject, QueryValue, Slot } from '../query-value.ts';

/** The slot for a variable; undefined if it stands for nothing. */
export type SlotOf = (variable: RuleVariable) => Slot | undefined;

/** A part of a filter; `true` or `false` if it is decided, whatever the entry, because something is unknown. */
type Part = QueryValue | boolean;

interface Walk {
  readonly slotOf: SlotOf;
  /** What an unknown comparison counts as: under a negation as true, so that the negation is false. */
  readonly unknown: boolean;
}

/** A filter that matches nothing. */
const NOTHING: QueryObject = { $or: [] };

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A constant, or the slot of a variable; undefined for a variable without a value. */
function leaf(value: JsonValue, { slotOf }: Walk): QueryValue | undefined {
  const variable = variableOf(value);
  if (variable) return slotOf(variable);
  return typeof value === 'object' ? '' : String(value);
}

/** What is compared with. Only "one of these" may lose values that are unknown. */
function operand(value: JsonValue, isOneOf: boolean, walk: Walk): Part {
  if (!isList(value)) return leaf(value, walk) ?? walk.unknown;
  const known = value.flatMap((element) => leaf(element, walk) ?? []);
  const mayLose = isOneOf && !walk.unknown && known.length > 0;
  return known.length === value.length || mayLose ? known : walk.unknown;
}

/** Conditions that must all match (`absorbs` is false), or one of which must (true). */
function combined(parts: readonly Part[], absorbs: boolean): readonly QueryValue[] | boolean {
  if (parts.includes(absorbs)) return absorbs;
  const open = parts.filter((part) => typeof part !== 'boolean');
  return open.length === 0 && parts.length > 0 ? !absorbs : open;
}

/** `$not` and `$none`: of one filter, or of a list that is negated as a whole. */
function negation(name: string, value: JsonValue, outer: Walk): Part {
  const walk = { ...outer, unknown: !outer.unknown };
  const isOfFilters = isList(value) && value.some(isMap);
  const inner = isOfFilters
    ? combined(
        value.map((each) => partOf(each, walk)),
        false,
      )
    : partOf(value, walk);
  return typeof inner === 'boolean' ? !inner : { [name]: inner };
}

/** One member of a filter: `{[name]: value}`. */
function member(name: string, value: JsonValue, walk: Walk): Part {
  if (name === '$not' || name === '$none') return negation(name, value, walk);
  const isLogic = (name === '$and' || name === '$or') && isList(value);
  const inner = isLogic
    ? combined(
        value.map((each) => partOf(each, walk)),
        name === '$or',
      )
    : isMap(value)
      ? partOf(value, walk)
      : operand(value, name === '$in' || !name.startsWith('$'), walk);
  return typeof inner === 'boolean' ? inner : { [name]: inner };
}

/** A filter, all of whose members must match; or a bare value, which the id of related rows is compared with. */
function partOf(value: JsonValue, walk: Walk): Part {
  if (!isMap(value)) return operand(value, true, walk);
  const members = combined(
    Object.entries(value).map(([name, inner]) => member(name, inner, walk)),
    false,
  );
  return typeof members === 'boolean' ? members : (Object.assign(Object.create(null), ...members) as QueryObject);
}

/** The filter of a rule. */
export function ruleFilter(where: RuleFilter, slotOf: SlotOf): QueryObject {
  const found = partOf(where, { slotOf, unknown: false });
  if (typeof found === 'boolean') return found ? {} : NOTHING;
  return found as QueryObject;
}

/** The variables in the filter of a rule. */
export function variablesIn(value: JsonValue): readonly RuleVariable[] {
  const variable = variableOf(value);
  if (variable) return [variable];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(variablesIn) : [];
}
