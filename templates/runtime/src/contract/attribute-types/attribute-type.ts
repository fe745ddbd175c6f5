/** What is to be said of a type of attributes that are one value in one column. */
import type { ErrorPath, Issue } from '../errors.ts';
import type { JsonSchema } from '../routes/json-schema.ts';
import type { CastResult } from '../values/cast-result.ts';
import type { JsonValue } from '../values/json.ts';
import type { Random } from '../values/random.ts';
import type { ColumnType } from './column-type.ts';

/**
 * Text for text-like types, `date` (`YYYY-MM-DD`), `time` (`HH:mm:ss.SSS`), `datetime` and `timestamp` (ISO 8601 UTC with
 * milliseconds), `decimal` and `biginteger` (decimal text); number for `integer` and `float`; boolean; JSON.
 */
export type Canonical = JsonValue;

/** What fits into an index on every engine, in characters. */
export const MAX_SHORT_LENGTH = 255;

/** An option of the schema that only some types have. With `targetField`, the server makes the value of a required attribute. */
export type ScalarOption = 'minLength' | 'maxLength' | 'regex' | 'targetField' | 'min' | 'max' | 'enum' | 'enumFrom';

/** A limit of numbers: a decimal text where the type is exact, else a number. */
export type Bound = number | string;

/** The rules of one attribute that its values are checked by. Lengths count characters (code points). */
export interface ScalarRules {
  readonly required?: boolean | undefined;
  readonly unique?: boolean | undefined;
  /** Not asked of drafts. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Source of a regular expression with the flag `u`. */
  readonly regex?: string | undefined;
  /** Both ends belong to the range. */
  readonly min?: Bound | undefined;
  readonly max?: Bound | undefined;
  /** The values that it may have, in order. */
  readonly enum?: readonly string[] | undefined;
}

/** A value as a schema has it. `text` is the spelling of a number that was written without quotes. */
export interface WrittenValue {
  readonly value: JsonValue;
  readonly text: string | undefined;
}

/** What a schema's value means, or what was expected in its place: `a date such as "2020-01-31"`. */
export type ReadResult<Value> = { readonly value: Value } | { readonly expected: string };

/**
 * Which operators a filter may have:
 * - `text`: all, and searches look through it;
 * - `spelled`: all, texts being compared with its canonical text;
 * - `compared`: those that compare values;
 * - `presence`: only whether there is a value.
 */
export type Operators = 'text' | 'spelled' | 'compared' | 'presence';

/** `Input` is the TypeScript type of what a request may hold; it exists in types only. */
export interface AttributeType<Input = unknown, Option extends ScalarOption = ScalarOption> {
  /** The options that an attribute may have beside those of every type. */
  readonly options: readonly Option[];
  readonly columnType: ColumnType;
  /** Text of at most 255 characters whatever the options say: its column can have an index. */
  readonly isShort?: true;
  /** Numbers with more digits than a JSON number holds: a schema may have them in quotes. */
  readonly isExact?: true;
  /** Usually longer than a line: a search through it costs more. */
  readonly isLong?: true;
  /** Never answered, filtered or sorted by, and stored as a hash. */
  readonly isSecret?: true;
  /** An index over such values tells something. */
  readonly canBeUnique: boolean;
  /** In characters, whatever the options say. */
  readonly maxLength?: number;
  readonly operators: Operators;
  /**
   * The canonical value of one other than null, of a body or a query. What can't be cast exactly is refused; the message is a
   * predicate: `must be a string`. What is canonical is cast to itself.
   */
  cast(value: unknown): CastResult<Canonical>;
  /** What is wrong with a canonical text that is written, rather than compared with; a predicate. */
  formatProblem?(text: string): string | undefined;
  /** All that is wrong with a value, where that may be several things, each with its path below `path`. In place of `cast`. */
  problems?(value: unknown, path: ErrorPath): readonly Issue[];
  /** `min` or `max` as a schema has it. Of types with these options. */
  readBound?(text: string): ReadResult<Bound>;
  /** The default as a schema has it, in canonical form. Absent: there can't be one. */
  readDefault?(written: WrittenValue, rules: ScalarRules): ReadResult<JsonValue>;
  /** The TypeScript type of an answer without null, and of a request where that may hold more. With `enum`: its values. */
  readonly typescript: { readonly output: string; readonly input?: string };
  /** The same as JSON Schemas; `named` are those that they refer to, by name. */
  readonly jsonSchema: {
    readonly output: JsonSchema;
    readonly input?: JsonSchema;
    readonly named?: Readonly<Record<string, JsonSchema>>;
  };
  /** A value that an attribute without options may have, in canonical form. */
  readonly sample: Canonical;
  /** Another one, for sample content, which may break rules of the attribute. Absent: one of its column type. */
  random?(random: Random, rules: ScalarRules): Canonical;
  readonly '~input'?: Input;
}

/** Of the types with `minLength`, `maxLength` and `regex`. */
export type TextOption = 'minLength' | 'maxLength' | 'regex';

/** Of numbers. */
export type RangeOption = 'min' | 'max';
