/** A setting that `true` and `false` turn on or off, and that a map of options turns on and configures. */
import type { Located } from './located.ts';
import { type Keywords, mapSchema, type OptionValues, readOptions } from './option.ts';
import { locationOf, type MapHints, readFields, readingOf, reportType } from './reader.ts';
import type { Shape } from './shape.ts';

export function switchedOptions<Table extends Keywords>(
  options: Table,
  hints?: MapHints,
): Shape<Located<boolean | OptionValues<Table>>> {
  return {
    read(reader, fields, key) {
      const reading = readingOf(fields, key);
      if (reading === undefined) return undefined;
      const { node } = reading;
      const location = locationOf(reader, reading);
      if (node.kind === 'scalar' && typeof node.value === 'boolean') return { value: node.value, location };
      if (node.kind !== 'map') return reportType(reader, reading, '`true`, `false` or a map');
      const own = readFields(reader, reading, Object.keys(options), hints);
      return own && { value: readOptions(reader, own, options), location };
    },
    written: '`true`, `false` or map',
    jsonSchema: { anyOf: [{ type: 'boolean' }, mapSchema(options)] },
  };
}
