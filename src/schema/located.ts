/** Parts of a schema with their source location. */
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';

/** A value and its location. */
export interface Located<T> {
  readonly value: T;
  readonly location: SourceLocation;
}

/** A number as written: it may have more digits than a JavaScript number can hold. */
export interface WrittenNumber extends Located<number> {
  readonly text: string;
}

/** A default value. `text` is the literal of an unquoted number. */
export interface WrittenDefault extends Located<JsonValue> {
  readonly text: string | undefined;
}
