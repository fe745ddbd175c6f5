/** The option `history` of a content type: whether its versions are kept, and which of them. */
import { countOf, type Kept } from '#contract/history/kept.ts';
import type { Located } from './located.ts';
import { mapSchema, option, readOptions } from './option.ts';
import { locationOf, type Reader, readFields, type Reading, readingOf, reportType } from './reader.ts';
import type { Shape } from './shape.ts';

const EXPECTED = 'a number of versions, such as `100`, or of days, such as `400d`';

function keptOf(reader: Reader, reading: Reading): Kept | undefined {
  const { node } = reading;
  const written = node.kind === 'scalar' ? String(node.value) : '';
  return countOf(written) ?? reportType(reader, reading, EXPECTED);
}

/** How many versions of each entry are kept, or for how long. */
const keep: Shape<Kept> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    return reading && keptOf(reader, reading);
  },
  written: 'number, or number of days: `100` `400d`',
  jsonSchema: { type: ['integer', 'string'], minimum: 1, pattern: '^[1-9][0-9]{0,5}d?$' },
};

const historyOptions = {
  keep: option(
    keep,
    'How many versions of each entry are kept (`100`), or for how many days (`400d`). By default all of them.',
  ),
};

/** `true`, `false`, or a map that says what is kept. The value is undefined if there is no history. */
export const historySetting: Shape<Located<Kept | undefined>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const { node } = reading;
    const location = locationOf(reader, reading);
    if (node.kind === 'scalar' && typeof node.value === 'boolean') {
      return { value: node.value ? {} : undefined, location };
    }
    if (node.kind !== 'map') return reportType(reader, reading, '`true`, `false` or a map');
    const own = readFields(reader, reading, Object.keys(historyOptions));
    return own && { value: readOptions(reader, own, historyOptions).keep ?? {}, location };
  },
  written: '`true`, `false` or map with `keep`',
  jsonSchema: { anyOf: [{ type: 'boolean' }, mapSchema(historyOptions)] },
};
