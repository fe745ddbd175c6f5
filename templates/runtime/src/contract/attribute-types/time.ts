import { castTime } from '../values/cast-time.ts';
import type { AttributeType } from './attribute-type.ts';
import { readCanonical } from './read-default.ts';
import { writtenTime } from './written-time.ts';

/** A time of day: `HH:mm:ss`, with up to three decimals. */
export const time: AttributeType<string, never> = {
  options: [],
  columnType: 'time',
  input: 'time',
  canBeUnique: true,
  operators: 'spelled',
  cast: castTime,
  readDefault: readCanonical(writtenTime, 'a time such as "12:30:00"'),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string', format: 'time-local' } },
  sample: '12:30:00.000',
};
