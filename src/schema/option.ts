/** Options of the schema language, each described once for the reader, the JSON Schema and the reference. */
import type { JsonSchema } from '#contract/routes/json-schema.ts';
import type { Fields, Reader } from './reader.ts';
import type { Shape } from './shape.ts';

/** A key of a map and its purpose. A key whose value has a shape is an `Option`. */
export interface Keyword {
  /** A sentence in Markdown. */
  readonly description: string;
}

export interface Option<T> extends Keyword {
  readonly shape: Shape<T>;
}

/** By key, in the order of the reference. */
export type Keywords = Readonly<Record<string, Keyword | Option<unknown>>>;

/** The values of a table of options; undefined if absent or invalid. */
export type OptionValues<Table> = {
  readonly [Key in keyof Table as Table[Key] extends Option<unknown> ? Key : never]:
    (Table[Key] extends Option<infer T> ? T : never) | undefined;
};

/** A key whose value has no shape: the reader parses it itself. */
export function keyword(description: string): Keyword {
  return { description };
}

/** A key whose value has a shape. */
export function option<T>(shape: Shape<T>, description: string): Option<T> {
  return { shape, description };
}

/** The shape of a key, if it has one. */
export function shapeOf(entry: Keyword | Option<unknown>): Shape<unknown> | undefined {
  return 'shape' in entry ? entry.shape : undefined;
}

/**
 * The JSON Schema of a map with a fixed set of keys. `further` has the schemas of keys without a shape, and additional
 * rules for others.
 */
export function mapSchema(table: Keywords, further: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const properties = Object.entries(table).map(([key, entry]) => [
    key,
    { description: entry.description, ...shapeOf(entry)?.jsonSchema, ...further[key] },
  ]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

/** Reads all options of a table, except keys without a shape, which are left to the caller. */
export function readOptions<Table extends Keywords>(reader: Reader, fields: Fields, table: Table): OptionValues<Table> {
  const values = Object.entries(table).map(([key, entry]) => [key, shapeOf(entry)?.read(reader, fields, key)]);
  return Object.fromEntries(values) as OptionValues<Table>;
}
