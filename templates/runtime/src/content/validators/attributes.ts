/** Validates the attributes of an entry or component together. */
import { isDeepStrictEqual } from 'node:util';
import { conditionNames, describeCondition, holds, type Visibility } from '../../contract/visibility.ts';
import { type Field, type Fields, inside, report, type Scope } from './field.ts';

/** Canonical values by attribute: scalars, relation changes, components. Attributes that weren't sent are absent. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type CheckObject = (data: Readonly<Record<string, unknown>>, scope: Scope) => Values;

/** The values of one object while it is checked. */
interface Checking {
  readonly fields: ReadonlyMap<string, Field>;
  readonly data: Values;
  readonly scope: Scope;
  readonly values: Record<string, unknown>;
  /** Whether each attribute that was checked is visible; undefined if that is not known. */
  readonly visible: Map<string, boolean | undefined>;
}

/** Whether a value leaves nothing: null, or an empty list. */
function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** A value in canonical form, whatever rules it violates; undefined if it has none. */
function canonical(field: Field, value: unknown, scope: Scope): unknown {
  return field.check(value, { ...scope, operation: 'update', draft: true, issues: [] });
}

/** The stored value of an attribute in canonical form; undefined if it is not known. */
function storedValue({ fields, scope }: Checking, name: string): unknown {
  const field = fields.get(name);
  if (!field || !scope.stored || !Object.hasOwn(scope.stored, name)) return undefined;
  return canonical(field, scope.stored[name], scope);
}

/** The value of a sibling as it will be stored; undefined if it is not known. */
function siblingValue(checking: Checking, name: string): unknown {
  const { data, scope, values, visible } = checking;
  if (visible.get(name) === false) return null;
  if (Object.hasOwn(values, name)) return values[name];
  if (Object.hasOwn(data, name) && data[name] !== undefined) return undefined;
  const stored = storedValue(checking, name);
  return stored === undefined && scope.operation === 'create' ? null : stored;
}

/** Whether the condition of an attribute holds; undefined if a sibling is not known. */
function conditionHolds(checking: Checking, visibility: Visibility): boolean | undefined {
  const names = conditionNames(visibility);
  for (const name of names) checkNamed(checking, name);
  const siblings = new Map(names.map((name) => [name, siblingValue(checking, name)]));
  return [...siblings.values()].includes(undefined) ? undefined : holds(visibility, (name) => siblings.get(name));
}

/** Whether an attribute gets a default that it must not have while it is not visible. */
function hasDefault(field: Field, scope: Scope): boolean {
  return scope.operation === 'create' && field.check(undefined, { ...scope, draft: true, issues: [] }) !== undefined;
}

/** Checks an attribute with a condition. */
function checkConditional(
  checking: Checking,
  { name, field, visibility }: { readonly name: string; readonly field: Field; readonly visibility: Visibility },
  given: unknown,
  isShown: boolean | undefined,
): unknown {
  const { scope } = checking;
  const own = inside(scope, name);
  if (isShown === undefined) return field.check(given, own);
  if (isShown) {
    const isMissing = given === null || (given === undefined && scope.operation === 'create');
    if (visibility.required !== true || !isMissing || scope.draft) return field.check(given, own);
    const value = given === undefined ? field.check(given, own) : undefined;
    if (value !== undefined && value !== null) return value;
    report(own, `${given === null ? 'cannot be null' : 'must be defined'} where ${describeCondition(visibility)}`);
    return undefined;
  }
  if (given === undefined) return hasDefault(field, own) ? null : undefined;
  if (isEmpty(given)) return field.check(given, { ...own, draft: true });
  // An item of a component: the merge with the stored one decides.
  if (scope.operation === 'update' && scope.stored === undefined) return field.check(given, own);
  // Clients send back what they have read.
  const stored = storedValue(checking, name);
  const isSame = stored !== undefined && isDeepStrictEqual(canonical(field, given, own), stored);
  if (!scope.keepsHidden && !isSame) report(own, `is only taken where ${describeCondition(visibility)}`);
  return undefined;
}

/** Checks an attribute, unless it was checked before for the condition of another one. */
function checkNamed(checking: Checking, name: string): void {
  const { fields, data, scope, values, visible } = checking;
  const field = fields.get(name);
  if (!field || visible.has(name)) return;
  visible.set(name, true);
  const isOpen = field.writable !== false || scope.notWritable === 'taken';
  if (!isOpen && scope.notWritable === 'awaited') return;
  const isShown = field.visible ? conditionHolds(checking, field.visible) : true;
  visible.set(name, isShown);
  const given = isOpen && Object.hasOwn(data, name) ? data[name] : undefined;
  const failed = scope.issues.length;
  const value = field.visible
    ? checkConditional(checking, { name, field, visibility: field.visible }, given, isShown)
    : field.check(given, inside(scope, name));
  if (value !== undefined && scope.issues.length === failed) values[name] = value;
}

/** Creates the check of an object with these attributes. Reports failures in the order of the schema, then unknown keys. */
export function objectCheck(fields: Fields, ignored: ReadonlySet<string>): CheckObject {
  const known: ReadonlyMap<string, Field> = new Map(Object.entries(fields));
  return (data, scope) => {
    const values: Record<string, unknown> = {};
    const checking: Checking = { fields: known, data, scope, values, visible: new Map() };
    for (const name of known.keys()) checkNamed(checking, name);
    if (scope.unknownKeys === 'ignore') return values;
    for (const name of Object.keys(data)) {
      const field = known.get(name);
      const isKnown = field ? field.writable !== false || scope.notWritable === 'taken' : ignored.has(name);
      if (!isKnown) report(inside(scope, name), 'is not an attribute');
    }
    return values;
  };
}
