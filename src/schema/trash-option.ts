/** The option `trash` of a content type: for how long its deleted entries are kept. */
import type { Located } from './located.ts';
import { locationOf, readingOf, reportType } from './reader.ts';
import type { Shape } from './shape.ts';

const DAYS = /^([1-9]\d{0,3})d$/u;

/** The number of days; undefined if entries are not kept. */
export const trashSetting: Shape<Located<number | undefined>> = {
  read(reader, fields, key) {
    const reading = readingOf(fields, key);
    if (reading === undefined) return undefined;
    const { node } = reading;
    const location = locationOf(reader, reading);
    if (node.kind === 'scalar' && node.value === false) return { value: undefined, location };
    const days = node.kind === 'scalar' ? DAYS.exec(String(node.value))?.[1] : undefined;
    if (days === undefined) return reportType(reader, reading, 'a number of days, such as `30d`');
    return { value: Number(days), location };
  },
  written: 'number of days: `30d`',
  jsonSchema: { anyOf: [{ const: false }, { type: 'string', pattern: '^[1-9][0-9]{0,3}d$' }] },
};
