/** Checks the filter of a rule: names of attributes, operators and values, through relations and components. */
import { attributeType } from '../attribute-types/scalar-type.ts';
import { MAX_FILTER_DEPTH } from '../limits.ts';
import { operatorNamed, OPERATORS, takesOperand } from '../operators.ts';
import type { JsonValue } from '../values/json.ts';
import { isMap, type JsonMap, type ReportRule, type RuleProblem } from './rule-form.ts';
import type { RuleAttribute, RuleOwner, RuleTypes } from './rule-types.ts';
import { described, type ValueProblem, valueProblem, type ValueTarget } from './rule-values.ts';

/** A condition on one attribute, as it was found. */
export interface RuleCondition {
  /** The type whose rows have the attribute, and the path of its components to it: `['seo', 'metaTitle']`. */
  readonly type: string;
  readonly names: readonly string[];
  readonly attribute: Extract<RuleAttribute, { readonly kind: 'scalar' | 'relation' }>;
  readonly operator: string;
  /** Below `$not`, `$none` or `$every`, or in a list inside of entries: what an index can't find. */
  readonly isPlain: boolean;
  readonly path: RuleProblem['path'];
}

export interface WhereCheck {
  readonly types: RuleTypes;
  readonly report: ReportRule;
  readonly onCondition?: (condition: RuleCondition) => void;
}

/** The rows that a part of a filter is about. */
interface Rows {
  readonly owner: RuleOwner;
  /** The rows of a relation: bare values and operators compare their ids. */
  readonly relation?: ValueTarget;
  readonly type: string;
  readonly names: readonly string[];
  readonly isPlain: boolean;
  readonly depth: number;
  readonly path: RuleProblem['path'];
}

const LOGIC: ReadonlySet<string> = new Set(['$and', '$or', '$not']);
const QUANTIFIERS: ReadonlySet<string> = new Set(['$some', '$none', '$every']);
const OPERATOR_NAMES = [...Object.keys(OPERATORS), '$not'];

function at(rows: Rows, ...steps: readonly (string | number)[]): Rows {
  return { ...rows, path: [...rows.path, ...steps] };
}

function problem({ report }: WhereCheck, { path }: Rows, part: 'key' | 'value', what: ValueProblem): void {
  report({ path, part, ...what });
}

function checkValue(check: WhereCheck, rows: Rows, value: JsonValue, target: ValueTarget): void {
  const found = valueProblem(check.types, value, target);
  if (found) problem(check, rows, 'value', found);
}

/** The values of an operator: one, a list, two, or whether there must be none. */
function checkOperand(check: WhereCheck, rows: Rows, name: string, value: JsonValue, target: ValueTarget): void {
  const operand = operatorNamed(name)?.operand ?? 'value';
  const values = Array.isArray(value) ? value : [value];
  if (operand === 'flag') {
    if (typeof value !== 'boolean') problem(check, rows, 'value', { message: `\`${name}\` is \`true\` or \`false\`` });
  } else if (operand === 'range' && values.length !== 2) {
    problem(check, rows, 'value', { message: `\`${name}\` needs a list of two values` });
  } else if (operand === 'text') {
    const isText = typeof value === 'string' && !value.startsWith('$');
    if (!isText) checkValue(check, rows, value, { name: target.name, attribute: { kind: 'scalar', type: 'text' } });
  } else if (operand === 'value') {
    checkValue(check, rows, value, target);
  } else {
    values.forEach((one, index) => checkValue(check, Array.isArray(value) ? at(rows, index) : rows, one, target));
  }
}

function checkOperator(check: WhereCheck, rows: Rows, name: string, value: JsonValue, target: ValueTarget): void {
  if (name === '$not') {
    checkComparison(check, { ...rows, isPlain: false }, value, target);
    return;
  }
  const operator = operatorNamed(name);
  if (!operator) {
    const message = `there is no operator \`${name}\``;
    problem(check, rows, 'key', { message, suggest: { name, names: OPERATOR_NAMES } });
    return;
  }
  const { attribute } = target;
  const operators = attribute.kind === 'scalar' ? attributeType(attribute.type).operators : 'compared';
  if (!takesOperand(operators, operator.operand)) {
    const message = `\`${name}\` can't be used with \`${target.name}\`, which is ${described(attribute)}`;
    problem(check, rows, 'key', { message });
    return;
  }
  const { type, names, path } = rows;
  check.onCondition?.({
    type,
    names,
    attribute,
    operator: name,
    isPlain: rows.isPlain && !operator.negated && name !== '$ne',
    path,
  });
  checkOperand(check, rows, name, value, target);
}

/** The condition on an attribute: a value, a list of values, or a map of operators. */
function checkComparison(check: WhereCheck, rows: Rows, value: JsonValue, target: ValueTarget): void {
  if (!isMap(value)) {
    checkOperator(check, rows, Array.isArray(value) ? '$in' : '$eq', value, target);
    return;
  }
  if (Object.keys(value).length === 0) problem(check, rows, 'value', { message: 'the condition is empty' });
  for (const [name, operand] of Object.entries(value)) checkOperator(check, at(rows, name), name, operand, target);
}

function unknownName(check: WhereCheck, rows: Rows, name: string): void {
  const { uid, attributes, system } = rows.owner;
  const names = [...attributes.keys(), ...system.keys()];
  problem(check, rows, 'key', { message: `\`${uid}\` has no attribute \`${name}\``, suggest: { name, names } });
}

function deeper(check: WhereCheck, rows: Rows): Rows | undefined {
  if (rows.depth < MAX_FILTER_DEPTH) return { ...rows, depth: rows.depth + 1 };
  problem(check, rows, 'key', { message: `the filter is nested deeper than ${MAX_FILTER_DEPTH} levels` });
  return undefined;
}

function checkReached(check: WhereCheck, rows: Rows, value: JsonValue, isList: boolean): void {
  if (!isMap(value)) {
    checkRows(check, rows, value);
    return;
  }
  for (const [name, operand] of Object.entries(value)) {
    const inner = at(rows, name);
    if (!QUANTIFIERS.has(name)) checkEntry(check, inner, name, operand);
    else if (!isList) problem(check, inner, 'key', { message: `\`${name}\` is for lists, and this is one entry` });
    else checkRows(check, name === '$some' ? inner : { ...inner, isPlain: false }, operand);
  }
  if (Object.keys(value).length === 0) problem(check, rows, 'value', { message: 'the condition is empty' });
}

function checkAttribute(check: WhereCheck, rows: Rows, name: string, attribute: RuleAttribute, value: JsonValue): void {
  const names = [...rows.names, name];
  if (attribute.kind === 'scalar') return checkComparison(check, { ...rows, names }, value, { name, attribute });
  const inner = deeper(check, rows);
  if (attribute.kind === 'other') {
    const message = `\`${name}\` has entries or components of several types, by which nothing can be filtered`;
    return problem(check, rows, 'key', { message });
  }
  if (!inner) return undefined;
  if (attribute.kind === 'relation') {
    const owner = check.types.type(attribute.target);
    if (!owner) return undefined;
    const behind = { ...inner, owner, type: attribute.target, names: [], relation: { name, attribute } };
    return checkReached(check, behind, value, attribute.many);
  }
  const owner = check.types.component(attribute.component);
  const { relation: _relation, ...rest } = inner;
  const isPlain = rows.isPlain && !attribute.repeatable;
  return owner && checkReached(check, { ...rest, owner, names, isPlain }, value, attribute.repeatable);
}

function checkLogic(check: WhereCheck, rows: Rows, name: string, value: JsonValue): void {
  const inner = deeper(check, rows);
  if (!inner) return;
  if (name === '$not') {
    checkRows(check, { ...inner, isPlain: false }, value);
  } else if (!Array.isArray(value) || value.length === 0) {
    problem(check, rows, 'value', { message: `\`${name}\` is a list of conditions` });
  } else {
    value.forEach((one: JsonValue, index) => checkRows(check, at(inner, index), one));
  }
}

function checkEntry(check: WhereCheck, rows: Rows, name: string, value: JsonValue): void {
  if (LOGIC.has(name)) return checkLogic(check, rows, name, value);
  if (name.startsWith('$')) {
    if (rows.relation) return checkOperator(check, rows, name, value, rows.relation);
    const message = `\`${name}\` can't stand before an attribute`;
    return problem(check, rows, 'key', { message, suggest: { name, names: [...LOGIC] } });
  }
  const attribute = rows.owner.attributes.get(name) ?? rows.owner.system.get(name);
  return attribute ? checkAttribute(check, rows, name, attribute, value) : unknownName(check, rows, name);
}

function checkRows(check: WhereCheck, rows: Rows, value: JsonValue): void {
  if (isMap(value)) {
    for (const [name, operand] of Object.entries(value)) checkEntry(check, at(rows, name), name, operand);
    if (Object.keys(value).length === 0) problem(check, rows, 'value', { message: 'the condition is empty' });
  } else if (rows.relation) {
    checkOperator(check, rows, Array.isArray(value) ? '$in' : '$eq', value, rows.relation);
  } else {
    problem(check, rows, 'value', { message: 'a condition is a map with attributes' });
  }
}

/** Checks `where`, a filter on entries of `owner`. */
export function checkWhere(check: WhereCheck, owner: RuleOwner, where: JsonMap): void {
  checkRows(check, { owner, type: owner.uid, names: [], isPlain: true, depth: 0, path: ['where'] }, where);
}

/** Files: who may find an entry that uses them, and who uploaded them. */
export function checkFileWhere(report: ReportRule, where: JsonValue, path: RuleProblem['path'] = ['where']): void {
  if (!isMap(where)) return report({ path, part: 'value', message: 'a condition is a map' });
  const expected: Readonly<Record<string, string>> = { usedBy: 'visible', uploadedBy: '$user' };
  for (const [name, value] of Object.entries(where)) {
    const to = [...path, name];
    if ((name === '$or' || name === '$and') && Array.isArray(value)) {
      value.forEach((one: JsonValue, index) => checkFileWhere(report, one, [...to, index]));
    } else if (!Object.hasOwn(expected, name)) {
      const names = [...Object.keys(expected), '$or', '$and'];
      const message = `a rule of files has no condition \`${name}\``;
      report({ path: to, part: 'key', message, suggest: { name, names } });
    } else if (value !== expected[name]) {
      report({ path: to, part: 'value', message: `the only value of \`${name}\` is \`${expected[name]}\`` });
    }
  }
  return undefined;
}
