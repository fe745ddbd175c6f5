/** What was written, with its place. */
import type { JsonValue } from '#contract/values/json.ts';
import type { SourceLocation } from '../diagnostics/diagnostic.ts';

/** A value and where it stands. */
export interface Located<T> {
  readonly value: T;
  readonly location: SourceLocation;
}

/** A number as written: its digits may say more than a JavaScript number can hold. */
export interface WrittenNumber extends Located<number> {
  readonly text: string;
}

/** A default value. `text` is the spelling of a number that was written without quotes. */
export interface WrittenDefault extends Located<JsonValue> {
  readonly text: string | undefined;
}
