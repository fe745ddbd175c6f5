/** The option `history` of a content type: whether its versions are kept, and which of them. */
import { countOf, type Kept } from '#contract/history/kept.ts';
import type { Located } from './located.ts';
import { option } from './option.ts';
import { type Reader, type Reading, readingOf, reportType } from './reader.ts';
import type { Shape } from './shape.ts';
import { switchedOptions } from './switched-options.ts';

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

const switched = switchedOptions(historyOptions);

/** `true`, `false`, or a map that says what is kept. The value is undefined if there is no history. */
export const historySetting: Shape<Located<Kept | undefined>> = {
  ...switched,
  read(reader, fields, key) {
    const read = switched.read(reader, fields, key);
    if (!read) return undefined;
    const { value, location } = read;
    return { value: typeof value === 'boolean' ? (value ? {} : undefined) : (value.keep ?? {}), location };
  },
  written: '`true`, `false` or map with `keep`',
};
