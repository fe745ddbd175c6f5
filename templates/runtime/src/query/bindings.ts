/** The values that a compiled query leaves open: each query of the same shape binds its own. */
import type { CastResult } from '../contract/values/cast-result.ts';
import type { Slot } from './query-value.ts';

/** Casts a string to the canonical value to compare with. */
export type Cast<T> = (text: string) => CastResult<T>;

/** A value to compare with: a constant, or the index of a bound value. */
export type Operand<T = unknown> =
  { readonly kind: 'constant'; readonly value: T } | { readonly kind: 'bound'; readonly index: number };

/** The strings in the slots of a query, by their index. */
export type SlotTexts = readonly string[];

/** Values that each query of the shape binds; an operand's `index` is the position among those of all bindings. */
type Binding = (texts: SlotTexts) => CastResult<readonly unknown[]>;

/** The bindings shared by all queries of one shape. */
export interface Bindings {
  /** Adds an operand whose value each query casts from its own string in this slot. */
  add<T>(slot: Slot, cast: Cast<T>): Operand<T>;
  /** Adds an operand for each value, of which each query derives its own from its strings. */
  derive<T>(values: readonly T[], from: (texts: SlotTexts) => CastResult<readonly T[]>): readonly Operand<T>[];
  /** The number of values that are bound so far. */
  count(): number;
  /** Casts the strings of another query of the same shape to the values to bind. Undefined if one of them can't be cast. */
  valuesOf(texts: SlotTexts): readonly unknown[] | undefined;
}

export function constant<T>(value: T): Operand<T> {
  return { kind: 'constant', value };
}

/** The value of an operand in a query that binds `values`. */
export function valueIn<T>(operand: Operand<T>, values: readonly unknown[]): T {
  return operand.kind === 'constant' ? operand.value : (values[operand.index] as T);
}

export function createBindings(): Bindings {
  const bindings: Binding[] = [];
  let count = 0;
  return {
    count: () => count,
    add({ index: slot }, cast) {
      bindings.push((texts) => {
        const result = cast(texts[slot] ?? '');
        return result.ok ? { ok: true, value: [result.value] } : result;
      });
      return { kind: 'bound', index: count++ };
    },
    derive(values, from) {
      bindings.push(from);
      return values.map(() => ({ kind: 'bound', index: count++ }));
    },
    valuesOf(texts) {
      const values: unknown[] = [];
      for (const binding of bindings) {
        const result = binding(texts);
        if (!result.ok) return undefined;
        values.push(...result.value);
      }
      return values;
    },
  };
}
