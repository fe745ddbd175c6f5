import { castDate } from '../values/cast-time.ts';
import type { AttributeType } from './attribute-type.ts';
import { readCanonical } from './read-default.ts';
import { writtenDate } from './written-time.ts';

/** A day: `YYYY-MM-DD`. */
export const date: AttributeType<string, never> = {
  options: [],
  columnType: 'date',
  input: 'date',
  canBeUnique: true,
  operators: 'spelled',
  cast: castDate,
  readDefault: readCanonical(writtenDate, 'a date such as "2020-01-31"'),
  typescript: { output: 'string' },
  jsonSchema: { output: { type: 'string', format: 'date' } },
  sample: '2020-01-31',
};
