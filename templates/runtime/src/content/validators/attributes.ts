/** Validates the attributes of an entry or component together. */
import type { Agreement } from './exact.ts';
import type { ComponentInput } from './input-types.ts';
import { type Field, type Fields, inside, report, type Scope } from './field.ts';

/** Canonical values by attribute: scalars, relation changes, components. Attributes that weren't sent are absent. */
export type Values = Readonly<Record<string, unknown>>;

/** The validators of a component's attributes. */
export interface Attributes<F extends Fields = Fields> {
  readonly fields: F;
}

/**
 * The attributes of a component, in the order of the schema. `attributes<SharedSeoInput>()(fields)` compiles only if their input
 * type is exactly this type.
 */
export function attributes<Input>(): <const F extends Fields>(
  fields: F,
  ...agreement: Agreement<ComponentInput<F>, Input>
) => Attributes<F>;
export function attributes<const F extends Fields>(fields: F): Attributes<F>;
export function attributes(fields?: Fields): unknown {
  return fields ? { fields } : (given: Fields) => ({ fields: given });
}

/** Whether a value is an object, and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type CheckObject = (data: Readonly<Record<string, unknown>>, scope: Scope) => Values;

/** Creates the check of an object with these attributes. Reports failures in the order of the schema, then unknown keys. */
export function objectCheck(fields: Fields, ignored: ReadonlySet<string>): CheckObject {
  const known: ReadonlyMap<string, Field> = new Map(Object.entries(fields));
  return (data, scope) => {
    const values: Record<string, unknown> = {};
    for (const [name, field] of known) {
      const isOpen = field.writable !== false || scope.notWritable === 'taken';
      if (!isOpen && scope.notWritable === 'awaited') continue;
      const given = isOpen && Object.hasOwn(data, name) ? data[name] : undefined;
      const failed = scope.issues.length;
      const value = field.check(given, inside(scope, name));
      if (value !== undefined && scope.issues.length === failed) values[name] = value;
    }
    if (scope.unknownKeys === 'ignore') return values;
    for (const name of Object.keys(data)) {
      const field = known.get(name);
      const isKnown = field ? field.writable !== false || scope.notWritable === 'taken' : ignored.has(name);
      if (!isKnown) report(inside(scope, name), 'is not an attribute');
    }
    return values;
  };
}
