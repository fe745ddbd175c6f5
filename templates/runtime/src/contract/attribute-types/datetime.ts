import { castInstant } from '../values/cast-time.ts';
import type { AttributeType } from './attribute-type.ts';
import { readCanonical } from './read-default.ts';
import { writtenInstant } from './written-time.ts';

/** An instant: ISO 8601, or milliseconds since 1970. */
export const datetime: AttributeType<string | number, never> = {
  options: [],
  columnType: 'datetime',
  input: 'datetime',
  canBeUnique: true,
  operators: 'spelled',
  cast: castInstant,
  readDefault: readCanonical(writtenInstant, 'an instant such as "2020-01-31T12:30:00Z"'),
  typescript: { output: 'string', input: 'string | number' },
  jsonSchema: {
    output: { type: 'string', format: 'date-time' },
    input: { type: ['string', 'integer'], format: 'date-time' },
  },
  sample: '2020-01-31T12:30:00.000Z',
};
