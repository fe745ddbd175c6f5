/** The values of a query that its compiled form leaves open, to be bound by each query of the same shape. */
import type { CastResult } from '../contract/values/cast-result.ts';
import type { Slot } from './query-value.ts';

/** From a text to the canonical value that is compared with. */
export type Cast<T> = (text: string) => CastResult<T>;

/** A value that is compared with: always the same, or one of those that are bound. */
export type Operand<T = unknown> =
  { readonly kind: 'constant'; readonly value: T } | { readonly kind: 'bound'; readonly index: number };

/** What is bound, in the order of the operands' `index`. */
interface Binding {
  readonly slot: number;
  readonly cast: Cast<unknown>;
}

/** The bindings of the queries of one shape. */
export interface Bindings {
  /** An operand that each query casts anew. */
  add<T>(slot: Slot, cast: Cast<T>): Operand<T>;
  /** Canonical values to bind, of the texts of another query of the shape. Undefined where one of them can't be cast. */
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
