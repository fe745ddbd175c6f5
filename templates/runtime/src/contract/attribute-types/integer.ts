import { castInteger, MAX_INTEGER, MIN_INTEGER } from '../values/cast-number.ts';
import type { AttributeType, RangeOption } from './attribute-type.ts';
import { readBoundBy } from './read-bound.ts';
import { readNumberOf } from './read-default.ts';

const readBound = readBoundBy(castInteger, `a whole number from ${MIN_INTEGER} to ${MAX_INTEGER}`);

/** A 32-bit integer. */
export const integer: AttributeType<number, RangeOption> = {
  options: ['min', 'max'],
  columnType: 'integer',
  input: 'integer',
  canBeUnique: true,
  operators: 'spelled',
  cast: castInteger,
  readBound,
  readDefault: readNumberOf(readBound),
  typescript: { output: 'number' },
  jsonSchema: { output: { type: 'integer' } },
  sample: 42,
};
