/** The values that a compiled query leaves open: each query of the same shape binds its own. */
import type { CastResult } from '../contract/values/cast-result.ts';
import type { Slot } from './query-value.ts';

/** Casts a string to the canonical value to compare with. */
export type Cast<T> = (text: string) => CastResult<T>;

/** A value to compare with: a constant, or the index of a bound value. */
export type Operand<T = unknown> =
  { readonly kind: 'constant'; readonly value: T } | { readonly kind: 'bound'; readonly index: number };

/** One bound value; an operand's `index` is its position in the list of bindings. */
interface Binding {
  readonly slot: number;
  readonly cast: Cast<unknown>;
}

/** The bindings shared by all queries of one shape. */
export interface Bindings {
  /** Adds an operand whose value each query casts from its own string in this slot. */
  add<T>(slot: Slot, cast: Cast<T>): Operand<T>;
  /** Casts the strings of another query of the same shape to the values to bind. Undefined if one of them can't be cast. */
  valuesOf(texts: readonly string[]): readonly unknown[] | undefined;
}

export function constant<T>(value: T): Operand<T> {
  return { kind: 'constant', value };
}

export function createBindings(): Bindings {
  const bindings: Binding[] = [];
  return {
    add: (slot, cast) => ({ kind: 'bound', index: bindings.push({ slot: slot.index, cast }) - 1 }),
    valuesOf(texts) {
      const values: unknown[] = [];
      for (const { slot, cast } of bindings) {
        const result = cast(texts[slot] ?? '');
        if (!result.ok) return undefined;
        values.push(result.value);
      }
      return values;
    },
  };
}
