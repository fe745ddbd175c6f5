/** A setting that is a map of options. */
import { type Keywords, mapSchema, type OptionValues, readOptions } from './option.ts';
import { readFields, readingOf } from './reader.ts';
import type { Shape } from './shape.ts';

/** `written`: what messages call the map. */
export function optionsMap<Table extends Keywords>(options: Table, written = 'map'): Shape<OptionValues<Table>> {
  return {
    read(reader, fields, key) {
      const reading = readingOf(fields, key);
      const own = reading && readFields(reader, reading, Object.keys(options));
      return own && readOptions(reader, own, options);
    },
    written,
    jsonSchema: mapSchema(options),
  };
}
