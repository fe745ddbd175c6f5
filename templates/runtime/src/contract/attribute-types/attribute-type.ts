/** The definition of a scalar attribute type: one value in one column. */
import type { ErrorPath, Issue } from '../errors.ts';
import type { JsonSchema } from '../routes/json-schema.ts';
import type { CastResult } from '../values/cast-result.ts';
import type { JsonValue } from '../values/json.ts';
import type { Random } from '../values/random.ts';
import type { ColumnType } from './column-type.ts';
import type { InputKind } from './input-kind.ts';

/**
 * A value in canonical form. A string for text-like types, `date` (`YYYY-MM-DD`), `time` (`HH:mm:ss.SSS`), `datetime` and
 * `timestamp` (ISO 8601 UTC with milliseconds), `decimal` and `biginteger` (decimal digits); a number for `integer` and `float`;
 * a boolean; any JSON.
 */
export type Canonical = JsonValue;

/** Maximum length of indexed text that every engine supports, in characters. */
export const MAX_SHORT_LENGTH = 255;

/** An option in the schema that only some types have. With `targetField`, the server generates missing required values. */
export type ScalarOption =
  'minLength' | 'maxLength' | 'regex' | 'targetField' | 'min' | 'max' | 'enum' | 'enumFrom' | 'enumLabels';

/** A minimum or maximum: decimal text if the type is exact, otherwise a number. */
export type Bound = number | string;

/** Validation rules of one attribute. Lengths are in characters (code points). */
export interface ScalarRules {
  readonly required?: boolean | undefined;
  readonly unique?: boolean | undefined;
  /** Not checked for drafts. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Source of a regular expression with the flag `u`. */
  readonly regex?: string | undefined;
  /** Inclusive. */
  readonly min?: Bound | undefined;
  readonly max?: Bound | undefined;
  /** The allowed values, in order. */
  readonly enum?: readonly string[] | undefined;
}

/** A value in a schema. `text` is the source text of an unquoted number. */
export interface WrittenValue {
  readonly value: JsonValue;
  readonly text: string | undefined;
}

/** The parsed value, or a description of what was expected: `a date such as "2020-01-31"`. */
export type ReadResult<Value> = { readonly value: Value } | { readonly expected: string };

/**
 * The operators that filters may use:
 * - `text`: all; searches include the attribute;
 * - `spelled`: all; text operators apply to the canonical text;
 * - `compared`: comparisons of values;
 * - `presence`: only checks for null.
 */
export type Operators = 'text' | 'spelled' | 'compared' | 'presence';

/** `Input` is the TypeScript type of values in requests. It exists only at compile time. */
export interface AttributeType<Input = unknown, Option extends ScalarOption = ScalarOption> {
  /** Options of the attribute besides those that every type has. */
  readonly options: readonly Option[];
  readonly columnType: ColumnType;
  readonly input: InputKind;
  /** Text of at most 255 characters, whatever the options: its column can be indexed. */
  readonly isShort?: true;
  /** Numbers may have more digits than a JSON number holds, so a schema may quote them. */
  readonly isExact?: true;
  /** Usually longer than a line, so searching it costs more. */
  readonly isLong?: true;
  /** Stored as a hash. Never in a response, and can't be filtered or sorted by. */
  readonly isSecret?: true;
  /** Whether attributes may be `unique`. */
  readonly canBeUnique: boolean;
  /** In characters. Applies whatever the options. */
  readonly maxLength?: number;
  readonly operators: Operators;
  /**
   * The canonical form of a value in a body or query, other than null. Fails for values that can't be converted exactly; the message
   * is a predicate: `must be a string`. Canonical values are returned unchanged.
   */
  cast(value: unknown): CastResult<Canonical>;
  /** What is wrong with a canonical text, as a predicate. Checked for values in bodies, but not in filters. */
  formatProblem?(text: string): string | undefined;
  /** Replaces the error of `cast` for types whose values can have several errors, each with its path below `path`. */
  problems?(value: unknown, path: ErrorPath): readonly Issue[];
  /** Parses `min` or `max` of the schema, in types with these options. */
  readBound?(text: string): ReadResult<Bound>;
  /** The canonical form of a default in the schema. Absent if attributes of the type can't have a default. */
  readDefault?(written: WrittenValue, rules: ScalarRules): ReadResult<JsonValue>;
  /** TypeScript types in responses, without null, and in requests if they accept more. `enum` replaces them by its values. */
  readonly typescript: { readonly output: string; readonly input?: string };
  /** JSON Schemas of these types in responses and in requests. `named`: the schemas that they refer to. */
  readonly jsonSchema: {
    readonly output: JsonSchema;
    readonly input?: JsonSchema;
    readonly named?: Readonly<Record<string, JsonSchema>>;
  };
  /** A valid canonical value, if the attribute has no options. */
  readonly sample: Canonical;
  /** A random value for sample content, which may violate rules of the attribute. Absent: made for the column type. */
  random?(random: Random, rules: ScalarRules): Canonical;
  readonly '~input'?: Input;
}

/** Options of text. */
export type TextOption = 'minLength' | 'maxLength' | 'regex';

/** Options of numbers. */
export type RangeOption = 'min' | 'max';
